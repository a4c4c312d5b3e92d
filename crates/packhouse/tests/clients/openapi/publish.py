"""Uploads, publishes and downloads a file with the generated client."""

import io
import sys

from packhouse_client import AuthenticatedClient, Client
from packhouse_client.api.downloads import download_file
from packhouse_client.api.packages import create_package, show_package
from packhouse_client.api.repositories import create_repo, show_repo
from packhouse_client.api.upload_and_publish import publish_version, upload_content
from packhouse_client.models import Message, NewPackage, NewRepo, Publish
from packhouse_client.types import File

base, key = sys.argv[1:3]
client = AuthenticatedClient(base_url=f"{base}/api", token=key)

repo = create_repo.sync("ada", "generated", client=client, body=NewRepo(desc="of a generated client"))
assert repo.desc == "of a generated client", repo
assert create_package.sync("ada", "generated", client=client, body=NewPackage(name="cat", licenses=["MIT"])).name == "cat"

sent = File(payload=io.BytesIO(b"meow"))
uploaded = upload_content.sync_detailed("ada", "generated", "cat/1.0/bin/cat.txt", client=client, body=sent)
assert uploaded.status_code == 201, uploaded
published = publish_version.sync("ada", "generated", "cat", "1.0", client=client, body=Publish())
assert published.files == 1, published

public = Client(base_url=f"{base}/dl")
found = download_file.sync("ada", "generated", "bin/cat.txt", client=public)
assert found.payload.read() == b"meow", found

anyone = Client(base_url=f"{base}/api")
assert show_package.sync("ada", "generated", "cat", client=anyone).latest_version == "1.0"
missing = show_repo.sync("ada", "nothing", client=anyone)
assert isinstance(missing, Message) and "not found" in missing.message, missing
print("done")
