import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

const source = join(import.meta.dirname, '../src')

/**
 * The files and packages that loading a file of `src` loads at once, directly or through others. Imports of types and
 * dynamic imports load nothing then.
 */
export function loadedBy(entry: string): Set<string> {
  const loaded = new Set([join(source, entry)])
  for (const file of loaded) {
    if (!file.startsWith(source)) continue
    for (const [, types, name = ''] of readFileSync(file, 'utf8').matchAll(
      /^(?:import|export)\s+(type\s)?(?:[^;'=()]*?\sfrom\s+)?'([^']+)'$/gm,
    ))
      if (types === undefined) loaded.add(name.startsWith('.') ? join(file, '..', name) : name)
  }
  return new Set(
    [...loaded].map((file) =>
      file.startsWith(source) ? relative(source, file).replaceAll('\\', '/') : file,
    ),
  )
}
