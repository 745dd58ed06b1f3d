import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Plugin } from 'vite'
import { z } from 'zod'

export const LICENCES_FILE = 'third-party-licences.txt'

/** Code that the bundler adds to its output. */
const HELPERS = ['rolldown', 'vite']

const RULE = '='.repeat(80)

/**
 * Writes the license of each bundled package with its text next to the build. @param root contains
 * node_modules
 */
export function thirdPartyLicences(root: string): Plugin {
  return {
    name: 'third-party-licences',
    generateBundle() {
      // A package can contain the work of others under a license in its own folder, as pdf.js does.
      const folders = new Map(HELPERS.map((name) => [join(root, 'node_modules', name), new Set<string>()]))
      for (const id of this.getModuleIds())
        for (const folder of packageFolder(id)) {
          const inner = folders.get(folder) ?? new Set()
          folders.set(folder, inner.add(dirname(id.replace(/^\0|\?.*$/g, ''))))
        }
      const packages = [...folders]
        .map(([folder, inner]) => readPackage(folder, inner, root))
        .sort((a, b) => (a.heading < b.heading ? -1 : 1))
      // A package may be in several folders.
      const sections = new Map(
        packages.map(({ heading, texts }) => [heading, [RULE, heading, RULE, '', ...texts].join('\n')]),
      )
      this.emitFile({
        type: 'asset',
        fileName: LICENCES_FILE,
        source: [
          `What follows is the work of others, and is part of this folder's files under these licences.`,
          ...sections.values(),
          '',
        ].join('\n\n'),
      })
    },
  }
}

/**
 * The folder of the package that a module belongs to, if it is of one. A module's id may be virtual, or end
 * in a query.
 */
export function packageFolder(id: string): string[] {
  const [, before, name] = /^\0?(.*[\\/]node_modules[\\/])((?:@[^\\/]+[\\/])?[^\\/?]+)[\\/]/.exec(id) ?? []
  return before === undefined || name === undefined ? [] : [`${before}${name}`]
}

const manifestForm = z.object({
  name: z.string(),
  version: z.string(),
  license: z.string().default('no licence named'),
  author: z
    .union([z.string(), z.object({ name: z.string() }).transform(({ name }) => name)])
    .default('the authors'),
})

function readPackage(
  folder: string,
  inner: ReadonlySet<string>,
  root: string,
): { heading: string; texts: string[] } {
  const { name, version, license, author } = manifestForm.parse(
    JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')),
  )
  const texts = [...new Set([folder, ...inner])].flatMap(licenseTexts)
  return {
    heading: `${name} ${version} (${license})`,
    texts: texts.length > 0 ? texts : standardText(license, author, root),
  }
}

/** The texts of the license files in a folder, sorted by file name. */
function licenseTexts(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((file) => /^(licen[cs]e|copying|notice)(?!.*\.(?:js|ts|json)$)/i.test(file))
    .sort()
    .map((file) => readFileSync(join(folder, file), 'utf8').trim())
}

/** For a package that names its license without including its text. */
function standardText(licence: string, author: string, root: string): string[] {
  const file = join(root, 'build/licences', `${licence}.txt`)
  return existsSync(file) ? [`Copyright (c) ${author}`, '', readFileSync(file, 'utf8').trim()] : []
}
