import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Gives a file of a build its content, a text or bytes. A file that has it already stays as it is, and another is
 * renamed into place. So whoever reads meanwhile finds the old content or the new one, and two builds may run at once.
 */
export function placeFile(path, content) {
  const bytes = Buffer.from(content)
  if (contentOf(path)?.equals(bytes)) return
  mkdirSync(dirname(path), { recursive: true })
  // Beside the folder, because a folder of migrations is read by its names.
  const unfinished = `${dirname(path)}.${process.pid}`
  writeFileSync(unfinished, bytes)
  renameSync(unfinished, path)
}

/** Makes a folder of a build hold exactly the files of another folder, and of the folders in it. */
export function placeFolder(from, to) {
  for (const name of readdirSync(from)) {
    const [source, target] = [join(from, name), join(to, name)]
    if (statSync(source).isDirectory()) placeFolder(source, target)
    else placeFile(target, readFileSync(source))
  }
  removeFrom(to, (name) => !existsSync(join(from, name)))
}

/** Removes what a build no longer makes from one of its folders. Another build may have removed it already. */
export function removeFrom(folder, isStale) {
  for (const name of readdirSync(folder).filter(isStale)) {
    rmSync(join(folder, name), { recursive: true, force: true })
  }
}

function contentOf(path) {
  try {
    return readFileSync(path)
  } catch {
    return undefined // It is not there yet.
  }
}
