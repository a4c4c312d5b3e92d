const semver = require(process.argv[2]);
const lines = require("fs").readFileSync(0, "utf8").trimEnd().split("\n");
console.log(lines.map((line) => semver.compare(...line.split("\t"))).join("\n"));
