import { build } from 'esbuild'
import { placeFile } from './place.mjs'

/** Bundles by esbuild and places the files. Where it fails, esbuild has printed why, and the process ends. */
export async function bundle(options) {
  const result = await build({ ...options, bundle: true, metafile: true, logLevel: 'warning', write: false }).catch(
    () => process.exit(1),
  )
  for (const { path, contents } of result.outputFiles) placeFile(path, contents)
  return result
}
