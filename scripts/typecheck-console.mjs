/** Checks the types of the console and of its tests. Says so where the console's packages are not installed. */
import { spawnSync } from 'node:child_process'
import { canBuildConsole } from './build-console.mjs'

if (!canBuildConsole()) {
  process.stderr.write('NOT CHECKED: the types of the console, because its packages are not installed (npm install).\n')
  process.exit(process.env.CI === 'true' ? 1 : 0)
}
for (const project of ['console/tsconfig.json', 'console/test/tsconfig.json']) {
  const { status } = spawnSync('tsc', ['--noEmit', '-p', project], { stdio: 'inherit' })
  if (status !== 0) process.exit(1)
}
