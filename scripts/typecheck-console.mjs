/** Checks the types of the console and of its tests. Says so where the console's packages are not installed. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { canBuildConsole } from './build-console.mjs'

if (!canBuildConsole()) {
  process.stderr.write('NOT CHECKED: the types of the console, because its packages are not installed (npm install).\n')
  process.exit(process.env.CI === 'true' ? 1 : 0)
}
// By its path, so that it is found outside of npm's scripts too.
const tsc = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url))
for (const project of ['console/tsconfig.json', 'console/test/tsconfig.json']) {
  const { status } = spawnSync(process.execPath, [tsc, '--noEmit', '-p', project], { stdio: 'inherit' })
  if (status !== 0) process.exit(1)
}
