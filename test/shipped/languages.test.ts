import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { languageTags } from '../../src/shared/window-preferences.ts'
import { isBuilt } from '../shell/launch.ts'

const root = resolve(import.meta.dirname, '../..')

/** The folders of the built output that load a catalog when its language is chosen. */
const folders = ['out/main', 'out/renderer/assets'] as const

/**
 * The chunk of a catalog contains only its messages. Its name is the language's tag and a hash:
 * `zh-Hans-D3adBeef.js`.
 */
const MESSAGES =
  /^(?:\/\/.*\n)?var \w+ ?= ?JSON\.parse\(["'`]\{.*\}["'`]\);\s*export ?\{ ?(?:\w+ as )?messages ?\};\s*$/
const HASH = /-[\w-]{8}\.js$/

const translated = languageTags.filter((tag) => tag !== 'en')

function scriptsOf(folder: string): readonly { readonly name: string; readonly text: string }[] {
  return readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.js'))
    .map((name) => ({ name, text: readFileSync(join(root, folder, name), 'utf8') }))
}

describe.skipIf(!isBuilt()).each(folders)('the catalogs in %s', (folder) => {
  const scripts = scriptsOf(folder)

  it('exist twice for each translated language, and for no other language', () => {
    const tags = scripts.filter(({ text }) => MESSAGES.test(text)).map(({ name }) => name.replace(HASH, ''))
    expect(tags.sort()).toEqual([...translated, ...translated].sort())
  })

  it('include no pseudo-locale', () => {
    expect(
      scripts
        .filter(({ name, text }) => /\b[a-z]{2}-X[AB]\b/.test(`${name} ${text}`))
        .map(({ name }) => name),
    ).toEqual([])
  })
})
