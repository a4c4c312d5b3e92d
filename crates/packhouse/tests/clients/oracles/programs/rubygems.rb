$stdin.each_line(chomp: true) do |line|
  left, right = line.split("\t").map { |text| Gem::Version.new(text) }
  puts left <=> right
end
