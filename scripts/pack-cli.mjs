/**
 * Lays the built server and a list of the packages it needs (CycloneDX) beside the built command line, in cli/dist,
 * before `npm pack` packs it.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))

const built = 'cli/dist/server'
rmSync(built, { recursive: true, force: true })
cpSync('server/dist', built, { recursive: true })
// Nothing of them is used by who runs the programs.
for (const file of readdirSync(built)) if (/\.map$|^built-from/.test(file)) rmSync(`${built}/${file}`)

const manifest = (name) => JSON.parse(readFileSync(`${name}/package.json`, 'utf8'))
const [cli, server] = [manifest('cli'), manifest('server')]
const differing = Object.keys(server.dependencies).filter(
  (name) => cli.dependencies[name] !== server.dependencies[name],
)
if (differing.length > 0) {
  process.stderr.write(`cli/package.json must have the server's versions of: ${differing.join(', ')}\n`)
  process.exit(1)
}

// By the lock file, so that it does not depend on what this machine has installed.
const flags = ['--package-lock-only', '--workspace=cli', '--omit=dev', '--omit=peer', '--omit=optional']
writeFileSync('cli/dist/sbom.cdx.json', execFileSync('npm', ['sbom', '--sbom-format=cyclonedx', ...flags]))
