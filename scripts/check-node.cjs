/**
 * Ends the process with a clear message if this Node is older than package.json requires. To be preloaded (`node -r`),
 * before a newer syntax is read; so this file uses none that is newer than Node 6.
 */
'use strict'

const required = require('../package.json').engines.node.replace('>=', '')
const wanted = required.split('.').map(Number)
const found = process.versions.node.split('.').map(Number)

if (found[0] < wanted[0] || (found[0] === wanted[0] && found[1] < wanted[1])) {
  const actual = `${process.versions.node} (${process.execPath})`
  process.stderr.write(`Precedent needs Node ${required} or later; this is Node ${actual}.\n`)
  process.exit(1)
}
