import { scanMarkup } from '../../../shared/markup/scan-markup.ts'
import type { ZipArchive } from './unzip.ts'

/** The parts that a part refers to, by their IDs. */
export function relationsOf(archive: ZipArchive, part: string): ReadonlyMap<string, string> {
  const slash = part.lastIndexOf('/') + 1
  const relations = new Map<string, string>()
  scanMarkup(archive.text(`${part.slice(0, slash)}_rels/${part.slice(slash)}.rels`) ?? '', {
    open: (name, attribute) => {
      const target = name === 'relationship' ? attribute('Target') : undefined
      if (target !== undefined)
        relations.set(attribute('Id') ?? '', resolvePath(part.slice(0, slash), target))
    },
    close: () => undefined,
    text: () => undefined,
  })
  return relations
}

/** Within the archive: nothing is ever opened outside of it. */
export function resolvePath(folder: string, target: string): string {
  if (target.startsWith('/')) return target.slice(1)
  const parts = folder.split('/').filter((part) => part !== '')
  for (const part of target.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '.') parts.push(part)
  }
  return parts.join('/')
}
