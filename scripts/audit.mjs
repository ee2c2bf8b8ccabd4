/**
 * `npm run audit`: asks the registry for known vulnerabilities of what is installed for production. Exits with 1 if one
 * is high or critical. Where the registry has no advisories or cannot be reached, it says that nothing was checked, and
 * exits with 0.
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const { vulnerabilities, metadata, message } = audit()
if (vulnerabilities === undefined) {
  console.log(`NOT CHECKED: the registry gave no advisories (${withoutAddress(message)}).`)
} else {
  const grave = Object.values(vulnerabilities).filter(({ severity }) => /high|critical/.test(severity))
  for (const { name, severity } of grave) console.log(`${name}: ${severity}`)
  console.log(`${metadata.vulnerabilities.total} known vulnerabilities, of which high or critical: ${grave.length}.`)
  process.exitCode = grave.length > 0 ? 1 : 0
}

/** What `npm audit` reports about the lock file. */
function audit() {
  const args = ['audit', '--json', '--package-lock-only', '--omit=dev']
  const cwd = fileURLToPath(new URL('..', import.meta.url))
  const { stdout, error } = spawnSync('npm', args, { cwd, encoding: 'utf8', maxBuffer: 2 ** 28, timeout: 120_000 })
  try {
    return JSON.parse(stdout)
  } catch {
    return { message: error?.message }
  }
}

function withoutAddress(message = 'no answer') {
  return message.replace(/ - \S+ \S+$|https?:\/\/\S+ ?/g, '').trim()
}
