# `make help` lists the commands.
.DEFAULT_GOAL := help
.PHONY: help build demo docs test sanitize fuzz python wheel test-python viewer test-viewer experiments bench lint format deps clean

help:  ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' Makefile

build:  ## the program alone, at build/release/saltus
	@scripts/deps build
	@scripts/build release saltus_app

demo: build  ## build, solve a small problem, run a first scene, draw it
	@scripts/demo

docs: build  ## the site of the documentation, build/site
	@scripts/deps docs
	@scripts/docs

test:  ## the tests, on the release build
	@scripts/deps build test
	@scripts/test release

sanitize:  ## the quick tests again, under address and undefined-behaviour sanitizers
	@scripts/deps build test
	@scripts/test asan

fuzz:  ## the fuzzers, SECONDS=30 each
	@scripts/deps build test
	@SECONDS_EACH=$(or $(SECONDS),30) scripts/test fuzz

python:  ## the Python package, into build/python-venv
	@scripts/deps build python
	@scripts/python install

wheel:  ## the Python package as a wheel, into build/wheel
	@scripts/deps build python
	@scripts/python wheel

test-python:  ## the tests of the Python package
	@scripts/deps build python
	@scripts/python test

viewer:  ## the page of `saltus view` anew, viewer/bundle (needs Node)
	@scripts/deps viewer
	@scripts/viewer build

test-viewer: build  ## the viewer in a browser without a window
	@scripts/deps viewer
	@scripts/viewer test --install

experiments: build  ## the experiments of docs/experiments.md, into build/experiments
	@scripts/deps test
	@scripts/experiments

bench: build  ## measure against Siconos; results in bench/results
	@scripts/deps bench
	@bench/run

lint:  ## layers, format and clang-tidy on changed files (ALL=1: on all)
	@scripts/deps build lint
	@scripts/lint $(if $(ALL),all)

format:  ## clang-format on all sources
	@scripts/deps lint
	@git ls-files '*.cpp' '*.hpp' | xargs clang-format -i

deps:  ## install the Debian packages that are missing
	@scripts/deps build test bench docs lint python

clean:  ## remove the build folder
	rm -rf build
