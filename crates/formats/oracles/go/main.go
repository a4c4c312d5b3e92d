// Writes ../go-versions.tsv, ../go-paths.tsv, ../go-files.tsv and ../go-majors.tsv with the answers of golang.org/x/mod.
//
// Versions are in order, `=` for one that equals the version before it, `!` for texts that are not canonical; then 1 for
// prereleases and 1 for pseudo-versions. Paths: `+` with the escaped path and the major suffix, or `!`.
//
// Files: `+` or `!` and the path of a file in a module. Majors: `+` or `!`, a module path and a version.
//
// Run: go mod init oracle && go get golang.org/x/mod && go run .
package main

import (
	"fmt"
	"math/rand"
	"os"
	"sort"
	"strings"

	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"
)

var random = rand.New(rand.NewSource(7))

func pick(list ...string) string { return list[random.Intn(len(list))] }

func version() string {
	text := "v" + pick("0", "1", "2", "10", "01") + "." + pick("0", "1", "9", "10") + "." + pick("0", "1", "12", "00")
	switch random.Intn(10) {
	case 0, 1, 2, 3:
		text += "-" + pick("alpha", "beta", "rc.1", "rc.2", "rc.10", "1", "2", "10", "a-b", "A", "x.7.z.92", "01", "0a", "pre..1", "")
	case 4:
		text += "-" + pick("", "0.", "rc.1.0.") + pick("20260102150405", "20251231235959", "2026010215040") + "-" + pick("abcdefabcdef", "0123456789ab", "abcdefabcde", "ABCDEFABCDEF")
	case 5:
		text = pick("v1", "v1.2", "1.2.3", "v1.2.3.4", "V1.2.3", "v1.2.x", "v-1.0.0", "", "v1.0.0-é")
	}
	if random.Intn(6) == 0 {
		text += pick("+incompatible", "+meta", "+incompatible.1", "+")
	}
	return text
}

func path() string {
	element := func() string {
		return pick("lib", "Azure", "x.v2", "v2", "v1", "v3", "a~b", "a~1", "con", "aux.x", ".a", "a.", "-a", "a_b", "@v", "é", "a b", "a+b", "v02", "yaml.v3", "x!", "..", "v2.0")
	}
	text := pick("example.com", "github.com", "gopkg.in", "localhost", "-x.com", "Ex.com", "a..b", "x.y.z", "gopkg.in", "ex_a.com")
	for n := random.Intn(4); n > 0; n-- {
		text += pick("/", "/", "/", "/", "/", "/", "/", "/", "//") + element()
	}
	return text
}

func flag(is bool) string {
	if is {
		return "1"
	}
	return "0"
}

func versions() string {
	var out strings.Builder
	valid, invalid, seen := []string{}, []string{}, map[string]bool{}
	for i := 0; i < 3000; i++ {
		text := version()
		if seen[text] {
			continue
		}
		seen[text] = true
		if module.CanonicalVersion(text) == text && text != "" {
			valid = append(valid, text)
		} else {
			invalid = append(invalid, text)
		}
	}
	sort.Slice(valid, func(i, j int) bool {
		if order := semver.Compare(valid[i], valid[j]); order != 0 {
			return order < 0
		}
		return valid[i] < valid[j]
	})
	for i, text := range valid {
		mark := "<"
		if i > 0 && semver.Compare(valid[i-1], text) == 0 {
			mark = "="
		}
		fmt.Fprintf(&out, "%s\t%s\t%s\t%s\n", mark, text, flag(semver.Prerelease(text) != ""), flag(module.IsPseudoVersion(text)))
	}
	sort.Strings(invalid)
	for _, text := range invalid {
		fmt.Fprintf(&out, "!\t%s\n", text)
	}
	return out.String()
}

func paths() string {
	var out strings.Builder
	seen, rows := map[string]bool{}, []string{}
	for i := 0; i < 2500; i++ {
		text := path()
		if seen[text] {
			continue
		}
		seen[text] = true
		escaped, err := module.EscapePath(text)
		_, major, ok := module.SplitPathVersion(text)
		if err == nil && ok {
			rows = append(rows, fmt.Sprintf("+\t%s\t%s\t%s\n", text, escaped, major))
		} else {
			rows = append(rows, fmt.Sprintf("!\t%s\n", text))
		}
	}
	sort.Strings(rows)
	for _, row := range rows {
		out.WriteString(row)
	}
	return out.String()
}

func mark(err error) string {
	if err == nil {
		return "+"
	}
	return "!"
}

func files() string {
	rows := map[string]bool{}
	for i := 0; i < 1500; i++ {
		text := ""
		for n := 1 + random.Intn(3); n > 0; n-- {
			text += pick("a", "B", "go.mod", "con", "CON.go", "aux", "lpt1.x", "nul", ".x", "x.", "..", "...", "a b", "a~1", "a:b", "a*b", "a?b", "a'b", "a`b", "a\"b", "a|b", "a<b", "a;b", "a\\b", "é", "中", "a@b", "a!b", "#", "%", "{}", "[x]", "^", "=", "+", "-", "_", "com10", "$", "&", "(", ",")
			if n > 1 {
				text += pick("/", "/", "/", "/", "//")
			}
		}
		rows[mark(module.CheckFilePath(text))+"\t"+text+"\n"] = true
	}
	return sorted(rows)
}

func majors() string {
	rows := map[string]bool{}
	for i := 0; i < 3000; i++ {
		path := pick("example.com/a", "example.com/a/v2", "example.com/a/v3", "gopkg.in/x.v0", "gopkg.in/x.v1", "gopkg.in/x.v2", "gopkg.in/x.v2-unstable", "gopkg.in/x.v1-unstable", "example.com/a/v10")
		text := version()
		if module.CanonicalVersion(text) != text || text == "" {
			continue
		}
		_, major, _ := module.SplitPathVersion(path)
		rows[mark(module.CheckPathMajor(text, major))+"\t"+path+"\t"+text+"\n"] = true
	}
	return sorted(rows)
}

func sorted(rows map[string]bool) string {
	list := []string{}
	for row := range rows {
		list = append(list, row)
	}
	sort.Strings(list)
	return strings.Join(list, "")
}

func main() {
	for name, text := range map[string]string{"../go-versions.tsv": versions(), "../go-paths.tsv": paths(), "../go-files.tsv": files(), "../go-majors.tsv": majors()} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			panic(err)
		}
	}
}
