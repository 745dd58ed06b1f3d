import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runSotto, startSotto, type Finished, type SottoProcess } from '../process/sotto-process.ts'
import { dataOf } from '../process/command-json.ts'

let folder: string
let sotto: SottoProcess
const at = (name: string): string => join(folder, name)
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-convert-'))
  sotto = await startSotto(folder)
  await writeFile(at('a.pdf'), '%PDF-1.7\n(the coot swims) Tj')
  await writeFile(at('scan.pdf'), '%PDF-1.7\n')
  await writeFile(at('a.docx'), 'no archive')
})
afterAll(async () => {
  await sotto.stop('SIGTERM')
  await rm(folder, { recursive: true, force: true })
})

const convert = (...args: string[]): Promise<Finished> =>
  runSotto(['convert', ...args], { SOTTO_DATA_DIR: folder })
const receipts = async (): Promise<unknown[]> => (await sotto.call('receipts/list', {})) as unknown[]

describe('sotto convert', () => {
  it('sends nothing without --yes if no terminal can ask for consent', async () => {
    const { code, stdout, stderr } = await convert(at('a.pdf'))
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain('Each conversion costs $0.01.')
    expect(stderr).toContain('(document/fee-not-accepted)')
    expect(await receipts()).toEqual([])
  })

  it('prints Markdown to stdout and the cost to stderr', async () => {
    const { code, stdout, stderr } = await convert(at('a.pdf'), '--yes')
    expect([code, stdout]).toEqual([0, 'the coot swims\n'])
    expect(stderr).toMatch(/Cost: \$0\.01\. Receipt \S+\n$/)
    expect(await receipts()).toMatchObject([
      { caller: { kind: 'cli' }, privacy: 'sealed', path: '/v1/convert/file' },
    ])
  })

  it('saves to a new file and refuses to overwrite a file', async () => {
    const { code, stdout } = await convert(at('a.pdf'), '--yes', '--json', '--out', at('a.md'))
    expect([code, dataOf(stdout)]).toMatchObject([0, { file: at('a.md'), costUsd: '0.01' }])
    expect(await readFile(at('a.md'), 'utf8')).toBe('the coot swims')
    expect(await convert(at('a.pdf'), '--yes', '--out', at('a.md'))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('already exists') as unknown,
    })
    expect(await receipts()).toHaveLength(1)
  })

  it.each([
    ['a.docx', 'document/kind'],
    ['absent.pdf', 'request/invalid'],
  ])('refuses %s', async (name, code) => {
    expect(await convert(at(name), '--yes')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`(${code})`) as unknown,
    })
    expect(await receipts()).toHaveLength(1)
  })

  it('reports a document without text', async () => {
    expect(await convert(at('scan.pdf'), '--yes')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('(document/no-text)') as unknown,
    })
  })
})
