import sys

import oras.client

action, target, user, key = sys.argv[1:5]
# With a token, the library keeps that of its first call, which may only pull.
backend = "basic" if user else "token"
client = oras.client.OrasClient(hostname=target.split("/")[0], insecure=True, auth_backend=backend)
if user:
    client.auth.set_basic_auth(user, key)
if action == "push":
    client.push(target=target, files=["things.txt"])
elif action == "pull":
    client.pull(target=target, outdir="pulled")
else:
    print(client.get_tags(target))
