-- Uploads for wrk, each to its own path.
-- Arguments: the beginning and the end of the path, a unique name of the run, the file with the content, and
-- "new" if each upload must have different content.
local count = 0

function init(arguments)
  before, after, run, is_new = arguments[1], arguments[2], arguments[3], arguments[5] == "new"
  local file = assert(io.open(arguments[4], "rb"))
  content = file:read("*a")
  file:close()
end

function request()
  count = count + 1
  local name = run .. "-" .. count
  local body = content
  if is_new then
    body = string.format("%-32s", name) .. content:sub(33)
  end
  return wrk.format("PUT", before .. name .. ".bin" .. after, nil, body)
end
