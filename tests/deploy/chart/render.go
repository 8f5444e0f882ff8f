// Renders a chart as `helm template` does, with Go's own template engine and Helm's library of functions, where Helm itself is
// not installed: render CHART VALUES. Knows the functions that Helm adds and our chart uses: include, required, toYaml.
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"github.com/ghodss/yaml"
)

func main() {
	chart, values := os.Args[1], os.Args[2]
	own, described := read(filepath.Join(chart, "values.yaml")), read(filepath.Join(chart, "Chart.yaml"))
	data := map[string]interface{}{
		"Values":  merge(own, read(values)),
		"Chart":   map[string]interface{}{"Name": described["name"], "Version": described["version"], "AppVersion": described["appVersion"]},
		"Release": map[string]interface{}{"Name": "sale", "Namespace": "tickets", "Service": "Helm"},
	}
	all := template.New("chart").Option("missingkey=zero")
	all.Funcs(sprig.TxtFuncMap()).Funcs(template.FuncMap{
		"include": func(name string, data interface{}) (string, error) {
			var text strings.Builder
			err := all.ExecuteTemplate(&text, name, data)
			return text.String(), err
		},
		"required": func(message string, value interface{}) (interface{}, error) {
			if value == nil || value == "" {
				return nil, errors.New(message)
			}
			return value, nil
		},
		"toYaml": func(value interface{}) string {
			text, err := yaml.Marshal(value)
			check(err)
			return strings.TrimSuffix(string(text), "\n")
		},
	})
	files, err := filepath.Glob(filepath.Join(chart, "templates", "*"))
	check(err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		check(err)
		template.Must(all.New(filepath.Base(file)).Parse(string(text)))
	}
	for _, file := range files {
		name := filepath.Base(file)
		if strings.HasPrefix(name, "_") || !strings.HasSuffix(name, ".yaml") {
			continue
		}
		var text strings.Builder
		check(all.ExecuteTemplate(&text, name, data))
		rendered := strings.TrimSpace(strings.ReplaceAll(text.String(), "<no value>", ""))
		if rendered != "" {
			fmt.Printf("---\n# Source: seatwise/templates/%s\n%s\n", name, rendered)
		}
	}
}

func read(file string) map[string]interface{} {
	text, err := os.ReadFile(file)
	check(err)
	values := map[string]interface{}{}
	check(yaml.Unmarshal(text, &values))
	return values
}

func merge(below, above map[string]interface{}) map[string]interface{} {
	for name, value := range above {
		inner, isMap := value.(map[string]interface{})
		if known, isKnown := below[name].(map[string]interface{}); isMap && isKnown {
			below[name] = merge(known, inner)
		} else {
			below[name] = value
		}
	}
	return below
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
