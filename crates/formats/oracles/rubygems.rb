# Writes rubygems-versions.tsv with the answers of Gem::Version: versions in order, `=` for one that equals the version
# before it, `!` for texts that are no versions.
require "rubygems"

rng = Random.new(48)
pick = ->(list) { list[rng.rand(list.size)] }
spelling = lambda do
  parts = Array.new(pick.([1, 2, 2, 3, 3, 4])) { pick.(%w[0 1 2 3 10 00 01 2026]) }
  text = parts.join(".")
  text += "." + pick.(%w[a b rc pre alpha1 rc1 rc10 b2 0a A beta]) if rng.rand < 0.35
  text += "." + pick.(%w[0 1 2 rc 10]) if rng.rand < 0.25
  text += pick.(%w[a b1 rc2 -1 -rc1 -alpha -java-x]) if rng.rand < 0.3
  text.insert(rng.rand(text.size + 1), pick.(["..", "x", "-", "_", " ", "+", "|"])) if rng.rand < 0.1
  text
end
texts = Array.new(2600) { spelling.call }.uniq.sort
valid, invalid = texts.partition { |text| Gem::Version.correct?(text) && text == text.strip }
valid = valid.map { |text| [Gem::Version.new(text), text] }.sort { |a, b| (a[0] <=> b[0]).nonzero? || a[1] <=> b[1] }
File.open(File.join(__dir__, "rubygems-versions.tsv"), "w") do |file|
  valid.each_with_index do |(version, text), at|
    mark = at > 0 && (valid[at - 1][0] <=> version) == 0 ? "=" : "<"
    file.puts [mark, text, version.prerelease? ? 1 : 0].join("\t")
  end
  invalid.each { |text| file.puts ["!", text.strip == text ? text : text.gsub(" ", "_")].join("\t") }
end
