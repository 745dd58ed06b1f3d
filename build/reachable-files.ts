import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The built files of a folder that running one of `entries` may load: those that it names, and those that these name. */
export function reachableFiles(folder: string, entries: readonly string[]): string[] {
  const reached = new Set(entries)
  for (const file of reached) {
    for (const [, name] of readFileSync(join(folder, file), 'utf8').matchAll(
      /["'`]\.\/([\w.-]+\.js)["'`]/g,
    )) {
      if (name !== undefined && existsSync(join(folder, name))) reached.add(name)
    }
  }
  return [...reached].sort()
}
