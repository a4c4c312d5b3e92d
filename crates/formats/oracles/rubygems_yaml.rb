# Writes rubygems-yaml.jsonl: specifications as RubyGems writes them to YAML, with the fields that must be read from them.
require "rubygems"
require "json"

texts = ["Plain", "With: colon", "# hash", "- dash", "it's \"quoted\"", "Two\nlines\n\nand more\n", "  leading", "trailing  ",
         "long text " * 20, "long: text with 'quotes' and \"more\" " * 8, "tab\tand \u00e9\u4e2d", "*star", "&and", "!bang", "%x", "@at",
         "`tick", "null", "~", "true", "1.0", "2026-11-16", "", "a #b", "{a}", "[b]", "| pipe", "> fold", "line\n  indented\nend", "\u00e9 " * 60,
         "back\\slash", "question? yes", "x: ", ":symbol", "ends with:", "multi\nline: with\n- marks\n# and hash"]
rows = texts.each_with_index.map do |text, at|
  spec = Gem::Specification.new do |s|
    s.name = "gem#{at}"
    s.version = at.odd? ? "1.#{at}" : "2.0.rc#{at}"
    s.platform = %w[ruby java x86_64-linux universal-darwin-19 x64-mingw-ucrt][at % 5]
    s.summary = text
    s.description = text.reverse
    s.authors = [text, "Acme"]
    s.email = at.odd? ? "a@example.com" : ["a@example.com", "b@example.com"]
    s.homepage = "https://example.com/?a=#{at}#x"
    s.licenses = ["MIT", "Apache-2.0"].take(at % 3)
    s.metadata = { "source_code_uri" => "https://example.com/src", "note" => text }
    s.files = ["lib/a.rb", "b c.rb", "#{text.gsub(/\W/, "_")}.rb"]
    s.required_ruby_version = [">= 2.7", "< 4"]
    s.add_dependency "rake", ">= 12", "< 14"
    s.add_dependency "json"
    s.add_development_dependency "rspec", "~> 3.0"
    s.date = "2026-11-16"
  end
  spec.to_yaml.then { |yaml| { yaml: yaml, name: spec.name, version: spec.version.to_s, platform: spec.platform.to_s,
    summary: spec.summary, description: spec.description, authors: spec.authors, email: Array(spec.email),
    homepage: spec.homepage, licenses: spec.licenses, note: text,
    dependencies: spec.dependencies.map { |d| [d.name, d.requirement.requirements.map { |r| r.join(" ") }.join("&"), d.type.to_s] } } }
end
File.write(File.join(__dir__, "rubygems-yaml.jsonl"), rows.map(&:to_json).join("\n") + "\n")
