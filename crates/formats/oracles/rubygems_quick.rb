# Loads the bytes of rubygems-specs.hex and rubygems-quick.hex, which the tests hold against the writer, with Ruby and
# compares every field.
require "rubygems"

load_hex = ->(name) { Marshal.load([File.read(File.join(__dir__, name)).strip].pack("H*")) }
expect = ->(left, right) { raise "#{left.inspect} is not #{right.inspect}" unless left == right }

expect.(load_hex.("rubygems-specs.hex"),
        [["hello", Gem::Version.new("1.0.0"), "ruby"], ["hello", Gem::Version.new("1.1.0"), "java"]])
spec = load_hex.("rubygems-quick.hex")
expect.(spec.class, Gem::Specification)
expect.([spec.name, spec.version, spec.platform.to_s], ["hello", Gem::Version.new("1.1.0"), "ruby"])
expect.([spec.summary, spec.description], ["Says hello", "Says hello in a long text."])
# RubyGems 3.3 loads the licences into another variable.
licenses = spec.instance_variable_get(:@license) || spec.licenses
expect.([spec.authors, spec.email, licenses], [["Acme"], ["a@example.com"], ["MIT"]])
expect.([spec.homepage, spec.metadata], ["https://example.com", { "source_code_uri" => "https://example.com/src" }])
expect.(spec.date.strftime("%Y-%m-%d"), "2026-11-16")
expect.(spec.required_ruby_version, Gem::Requirement.new(">= 2.7"))
expect.(spec.required_rubygems_version, Gem::Requirement.new(">= 0"))
expect.(spec.dependencies, [Gem::Dependency.new("rake", ">= 12", "< 14"), Gem::Dependency.new("rspec", "~> 3.0", :development)])
puts "equal"
