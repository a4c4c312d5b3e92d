// Uploads, publishes and downloads a file with a client that has the generated types.
import createClient from "openapi-fetch";
import type { paths } from "./schema.js";

declare const process: { argv: string[]; exit(code: number): never };

const [base, key] = process.argv.slice(2) as [string, string];
const client = createClient<paths>({ baseUrl: `${base}/api`, headers: { Authorization: `Bearer ${key}` } });
const at = { subject: "ada", repo: "typed" };

function check(isTrue: boolean, what: unknown): void {
  if (!isTrue) {
    console.error(what);
    process.exit(1);
  }
}

const repo = await client.POST("/repos/{subject}/{repo}", { params: { path: at }, body: { desc: "typed" } });
check(repo.data?.desc === "typed", repo.error);
const made = await client.POST("/packages/{subject}/{repo}", { params: { path: at }, body: { name: "cat", licenses: ["MIT"] } });
check(made.data?.name === "cat", made.error);

const sent = await client.PUT("/content/{subject}/{repo}/{file_path}", {
  params: { path: { ...at, file_path: "cat/1.0/bin/cat.txt" } },
  body: "meow",
  bodySerializer: (body) => body,
  headers: { "Content-Type": "application/octet-stream" },
});
check(sent.response.status === 201, sent.error);
const published = await client.POST("/content/{subject}/{repo}/{package}/{version}/publish", {
  params: { path: { ...at, package: "cat", version: "1.0" } },
  body: {},
});
check(published.data?.files === 1, published.error);

const anyone = createClient<paths>({ baseUrl: `${base}/dl` });
const found = await anyone.GET("/{subject}/{repo}/{file_path}", {
  params: { path: { ...at, file_path: "bin/cat.txt" } },
  parseAs: "text",
});
check((found.data as unknown) === "meow", found);
const missing = await client.GET("/repos/{subject}/{repo}", { params: { path: { subject: "ada", repo: "nothing" } } });
check(missing.error?.message.includes("not found") === true, missing);
console.log("done");
