input <- file("stdin")
lines <- readLines(input)
close(input)
for (pair in strsplit(lines, "\t")) {
  cat(utils::compareVersion(pair[1], pair[2]), "\n", sep = "")
}
