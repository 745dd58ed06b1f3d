import { globSync, readFileSync, readdirSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { getCatalogs } from '@lingui/cli/api'
import { getConfig } from '@lingui/conf'
import ts from 'typescript'
import { beforeAll, expect, test } from 'vitest'
import { TABLES } from '../../build/core-sentences.ts'
import { parseLiterals } from '../../lint/words/read-code.ts'
import { attestationCodes } from '../../src/verifier/types.ts'
import { errorCodes } from '../../src/shared/error-codes.ts'
import { sandboxFaults } from '../../src/shared/sandbox-faults.ts'
import { sandboxWalletFaults } from '../../src/shared/sandbox-wallet-faults.ts'
import { limitOf } from '../../src/shared/step-limits.ts'
import { verdictNotices } from '../../src/shared/verdict.ts'

const root = resolve(import.meta.dirname, '../..')

let catalogTexts: ReadonlySet<string>
beforeAll(async () => {
  const catalogues = (await getCatalogs(getConfig({ cwd: root }))).filter(
    ({ path }) => !path.replaceAll('\\', '/').includes('src/main/'),
  )
  catalogTexts = new Set(
    (
      await Promise.all(catalogues.map(async (catalogue) => Object.keys((await catalogue.read('en')) ?? {})))
    ).flat(),
  )
})

/** The sources of all code that shows text in the window or a dialog. */
function spokenSources(): { readonly file: string; readonly source: ts.SourceFile }[] {
  return ['core', 'host', 'main', 'shared', 'renderer', 'cli', 'verifier']
    .flatMap((part) => readdirSync(join(root, 'src', part), { recursive: true, withFileTypes: true }))
    .filter(({ name }) => /\.tsx?$/.test(name))
    .map(({ parentPath, name }) => join(parentPath, name))
    .map((file) => ({
      file: relative(root, file).replaceAll('\\', '/'),
      source: ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true),
    }))
}

function nodesOf(source: ts.SourceFile): ts.Node[] {
  const found: ts.Node[] = []
  const visit = (node: ts.Node): void => {
    found.push(node)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

test('each file with a table of sentences exists', () => {
  const files = globSync('src/**/*.ts', { cwd: root }).map((file) => `/${file.replaceAll('\\', '/')}`)
  const unmatched = TABLES.flatMap(({ files: tables }) => tables).filter(
    (table) => !files.some((file) => table.test(file)),
  )
  expect(unmatched).toEqual([])
})

const MESSAGE_TABLES = ['attestationCodes[failure.code]', 'says', 'remedy']

test('each message of `msg` is in a catalog, and is a literal or in a table', () => {
  const english = new Set<string>()
  const others: string[] = []
  for (const { file, source } of spokenSources().filter(
    ({ file: at }) => !/^src\/(renderer|cli|main)\//.test(at),
  )) {
    for (const node of nodesOf(source)) {
      if (!ts.isCallExpression(node) || !ts.isIdentifier(node.expression) || node.expression.text !== 'msg')
        continue
      const [argument] = node.arguments
      // Another function of this name, without arguments.
      if (!argument) continue
      if (ts.isStringLiteralLike(argument)) english.add(argument.text)
      else if (!MESSAGE_TABLES.includes(argument.getText())) others.push(`${file}: ${node.getText()}`)
    }
  }
  expect(english.size).toBeGreaterThan(270)
  expect([...english].filter((sentence) => !catalogTexts.has(sentence))).toEqual([])
  expect(others).toEqual([])
})

test('only the listed files create a text without `msg`', () => {
  const makers = spokenSources()
    .filter(({ source }) =>
      nodesOf(source).some(
        (node) =>
          (ts.isPropertyAssignment(node) || ts.isShorthandPropertyAssignment(node)) &&
          node.name.getText() === 'english',
      ),
    )
    .map(({ file }) => file)
  expect(makers.sort()).toEqual([
    // The text of a failure by its code, in an answer over the contract.
    'src/main/open-sotto-link.ts',
    // These look up a text only by its English.
    'src/renderer/ui/language/core-sentences.ts',
    'src/shared/localized-text-schema.ts',
    'src/shared/localized-text.ts',
    'src/verifier/message.ts',
    // A text of `msg`, with its values cut to a displayable length.
    'src/verifier/text.ts',
  ])
})

/** The sources of the verification steps. */
function stepSources(): string[] {
  const folder = join(root, 'src/verifier')
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(({ name }) => name.endsWith('.ts'))
    .map(({ parentPath, name }) => join(parentPath, name))
  return [...files, join(root, 'src/core/gateway/channel/release-memory.ts')].map((file) =>
    readFileSync(file, 'utf8'),
  )
}

test('the texts in the core’s tables are in the catalogs', () => {
  const texts = [
    ...Object.values(errorCodes).flatMap(({ says, remedy }) => [says, remedy]),
    ...Object.values(attestationCodes),
    ...Object.values(verdictNotices),
    ...Object.values(sandboxFaults).map(({ description }) => description),
    ...Object.values(sandboxWalletFaults),
  ]
  expect(texts.length).toBeGreaterThan(300)
  expect(texts.filter((english) => !catalogTexts.has(english))).toEqual([])
})

test('the limits of the verification steps are in the catalogs, by step and by kind', () => {
  const steps = [
    ...new Set(stepSources().flatMap((source) => source.match(/(?<=['"`])[a-z]+\/[a-z-]+(?=['"`])/g) ?? [])),
  ]
  const limits = [...new Set(steps.flatMap((step) => limitOf(step) ?? []))]
  expect(limits.length).toBeGreaterThan(30)
  for (const kind of [
    'amd/root',
    'amd/intermediate',
    'amd/revocation',
    'vcek/validity',
    'td/debug',
    'td/tcb',
    'intel/tcb-info',
    'sigstore/certificate',
  ])
    limits.push(limitOf(kind) ?? kind)
  expect(limits.filter((english) => !catalogTexts.has(english))).toEqual([])
})

test('the titles of the verification steps are in the catalogs', () => {
  const titles = stepSources().flatMap((source) =>
    [...source.matchAll(/\btitle: '([^']+)'/g)].flatMap(([, title]) => title ?? []),
  )
  expect(titles.length).toBeGreaterThan(40)
  expect(titles.filter((english) => !catalogTexts.has(english))).toEqual([])
})

test('each expected and observed text of a step goes through `msg`', () => {
  // The names of roots in saved evidence are not part of a step. The texts of codes are in a table, and the error
  // of the JSON parser is never shown.
  const files = globSync('src/verifier/**/*.ts', { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !/\/(?:trust-roots|strict-json)\.ts$|\/codes\//.test(file))
  const past = files.flatMap((file) => parseLiterals(readFileSync(join(root, file), 'utf8'), file, isShown))
  expect(past.map(({ text }) => text).filter((text) => /\b[a-z]{2,} [a-z]{2,}/.test(text))).toEqual([])
})

/** Excludes titles, which have a table, and messages of errors that no verdict shows. */
function isShown(node: ts.Node): boolean {
  for (let around: ts.Node = node.parent; !ts.isStatement(around); around = around.parent) {
    if (ts.isPropertyAssignment(around) && around.name.getText() === 'title') return false
    if (ts.isNewExpression(around) && /^(?:Error|RangeError)$/.test(around.expression.getText())) return false
  }
  return true
}

test('the texts of the sandbox’s routes, which Settings list, are in the catalogs', () => {
  const routes = readdirSync(join(root, 'src/sandbox/routes'))
    .map((name) => readFileSync(join(root, 'src/sandbox/routes', name), 'utf8'))
    .flatMap((source) =>
      [...source.matchAll(/\b(?:tag|summary|group): '([^']+)'/g)].flatMap(([, text]) => text ?? []),
    )
  expect(routes.length).toBeGreaterThan(40)
  expect(routes.filter((english) => !catalogTexts.has(english))).toEqual([])
})

test('the texts of the window’s own failures are in the catalogs', () => {
  const source = readFileSync(join(root, 'src/renderer/ui/failure.ts'), 'utf8')
  const texts = [...source.matchAll(/\b(?:says|remedy): '([^']+)'/g)].flatMap(([, text]) => text ?? [])
  expect(texts.length).toBeGreaterThan(7)
  expect(texts.filter((english) => !catalogTexts.has(english))).toEqual([])
})
