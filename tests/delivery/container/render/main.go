// SPDX-License-Identifier: GPL-2.0-only

// render prints what Helm would make of dist/kubernetes/chart, as documents of YAML. Helm is not in
// Debian; its templates are those of text/template with the functions of sprig, and toYaml.
//
// usage: render CHART RELEASE NAMESPACE [VALUES]
// VALUES is a file that overrides values.yaml, map by map. A value that does not exist is an error.
package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"gopkg.in/yaml.v3"
)

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "render:", err)
		os.Exit(1)
	}
}

func read(path string) map[string]interface{} {
	bytes, err := os.ReadFile(path)
	check(err)
	values := map[string]interface{}{}
	check(yaml.Unmarshal(bytes, &values))
	return values
}

func merge(base, over map[string]interface{}) {
	for key, value := range over {
		inner, is := value.(map[string]interface{})
		old, was := base[key].(map[string]interface{})
		if is && was {
			merge(old, inner)
		} else {
			base[key] = value
		}
	}
}

func toYaml(value interface{}) (string, error) {
	var out bytes.Buffer
	e := yaml.NewEncoder(&out)
	e.SetIndent(2)
	err := e.Encode(value)
	return strings.TrimSuffix(out.String(), "\n"), err
}

func main() {
	if len(os.Args) < 4 || len(os.Args) > 5 {
		fmt.Fprintln(os.Stderr, "usage: render CHART RELEASE NAMESPACE [VALUES]")
		os.Exit(2)
	}
	chart := read(filepath.Join(os.Args[1], "Chart.yaml"))
	values := read(filepath.Join(os.Args[1], "values.yaml"))
	if len(os.Args) == 5 {
		merge(values, read(os.Args[4]))
	}
	data := map[string]interface{}{
		"Values":  values,
		"Release": map[string]interface{}{"Name": os.Args[2], "Namespace": os.Args[3], "Service": "Helm"},
		"Chart":   map[string]interface{}{"Name": chart["name"], "AppVersion": chart["appVersion"]},
	}
	names, err := filepath.Glob(filepath.Join(os.Args[1], "templates", "*.yaml"))
	check(err)
	for _, name := range names {
		text, err := os.ReadFile(name)
		check(err)
		t, err := template.New(filepath.Base(name)).Option("missingkey=error").
			Funcs(sprig.TxtFuncMap()).Funcs(template.FuncMap{"toYaml": toYaml}).Parse(string(text))
		check(err)
		fmt.Println("---")
		check(t.Execute(os.Stdout, data))
	}
}
