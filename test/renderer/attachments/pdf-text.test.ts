import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { describe, expect, test } from 'vitest'
import { readPages, type RecognizePage } from '../../../src/renderer/files/pdf-pages.ts'
import { layOutPage, repairPdf } from '../../../src/renderer/files/pdf-text.ts'
import { lockedPdf } from '../../e2e/files/encrypted-pdf.ts'
import { pageRanges } from '../../../src/renderer/files/reading-words.ts'

const CHARACTER_MAPS = `${join(import.meta.dirname, '../../../node_modules/pdfjs-dist/cmaps')}/`

const fileCase = (name: string) => new Uint8Array(readFileSync(join(import.meta.dirname, 'cases', name)))

async function read(data: Uint8Array, password?: string, recognize?: RecognizePage) {
  const task = getDocument({
    data,
    ...(password !== undefined && { password }),
    verbosity: 0,
    useSystemFonts: false,
    disableFontFace: true,
    cMapUrl: CHARACTER_MAPS,
  })
  try {
    return await readPages(await task.promise, () => undefined, recognize)
  } finally {
    await task.destroy()
  }
}

const TWO_PAGES = '[Page 1]\nPlain first line\nsecond line\n\n[Page 2]\nPage two'

describe('the PDFs of people', () => {
  test.each([
    ['plain.pdf', TWO_PAGES],
    ['plain-as.txt', TWO_PAGES],
    ['junk-before.pdf', TWO_PAGES],
    ['ends-nul.pdf', TWO_PAGES],
    ['linear.pdf', TWO_PAGES],
    ['owner-password.pdf', TWO_PAGES],
    ['mixed-scan.pdf', '[Page 1]\nPage one is text\n\n[Page 2 has no text.]'],
    ['cjk-predefined.pdf', '[Page 1]\n日本語のテキスト'],
    ['form.pdf', '[Page 1]\nName:\nAgree:\n[Field name: Ada Example]\n[Field agree: Yes]'],
    ['hyphens.pdf', '[Page 1]\nThe information was hyphenated at the end of lines.'],
    ['placed-words.pdf', '[Page 1]\nLetters\nWords placed one by one'],
    ['table.pdf', '[Page 1]\nItem\tQty\tPrice\nTea\t2\t5.00\nCoffee\t\t7.50'],
  ])('%s', async (name, text) => {
    expect((await read(fileCase(name))).text).toBe(text)
  })

  test('a page without text is known by its number', async () => {
    expect((await read(fileCase('mixed-scan.pdf'))).pagesWithoutText).toEqual([2])
    await expect(read(fileCase('scan.pdf'))).rejects.toMatchObject({
      failure: { code: 'attachment/pdf-no-text' },
    })
    expect(pageRanges([2, 3, 4, 7, 9, 10])).toBe('2–4, 7, 9–10')
  })

  test('only pages without text are recognized, and marked as such', async () => {
    const asked: number[] = []
    const recognize: RecognizePage = (_, number, of) => {
      asked.push(number, of)
      return Promise.resolve('Total 318')
    }
    expect(await read(fileCase('mixed-scan.pdf'), undefined, recognize)).toEqual({
      pages: 2,
      pagesWithoutText: [],
      recognizedPages: [2],
      text: '[Page 1]\nPage one is text\n\n[Page 2, recognized from its image. It may contain errors.]\nTotal 318',
    })
    expect(asked).toEqual([2, 2])
    await expect(read(fileCase('scan.pdf'), undefined, () => Promise.resolve(''))).rejects.toMatchObject({
      failure: { code: 'attachment/no-text-recognized' },
    })
  })

  test('a cut one is read as far as it goes', async () => {
    const repaired = repairPdf(fileCase('truncated.pdf'))
    expect((await read(repaired ?? new Uint8Array())).text).toBe(TWO_PAGES)
    const source = Buffer.from(fileCase('truncated.pdf'))
      .toString('latin1')
      .replace('/Type /Catalog', '/Type /Unknown')
    const pages = repairPdf(Buffer.from(source, 'latin1'))
    expect((await read(pages ?? new Uint8Array())).text).toBe(TWO_PAGES)
    expect(repairPdf(Buffer.from('%PDF-1.7\nnothing of it'))).toBeUndefined()
  })
})

describe('the order of a page', () => {
  const item = (text: string, x: number, y: number) => ({ text, x, y, width: text.length * 6, height: 12 })

  test('words in any order are read line by line', () => {
    expect(layOutPage([item('three', 72, 686), item('two', 110, 700), item('one', 72, 700)])).toBe(
      'one two\nthree',
    )
  })
  test('columns are read one after the other, as their page has them', () => {
    expect(
      layOutPage([
        item('left one', 72, 700),
        item('left two', 72, 686),
        item('right one', 320, 700),
        item('right two', 320, 686),
      ]),
    ).toBe('left one\nleft two\nright one\nright two')
  })
  test('a divided word is one, and a range or a name stays', () => {
    expect(
      layOutPage([
        item('an exam-', 72, 700),
        item('ple of 10-', 72, 686),
        item('20 and Jean-', 72, 672),
        item('Paul', 72, 658),
      ]),
    ).toBe('an example of 10-\n20 and Jean-\nPaul')
  })
})

describe.each(['rc4', 'aes-128', 'aes-256'] as const)('a PDF that is encrypted with %s', (kind) => {
  const locked = () =>
    new Uint8Array(lockedPdf('the sealed line', kind, { user: 'open me', owner: 'all of it' }))

  test.each(['open me', 'all of it'])('is read with each of its passwords: %s', async (password) => {
    await expect(read(locked(), password)).resolves.toMatchObject({ text: '[Page 1]\nthe sealed line' })
  })

  test.each([undefined, 'wrong', ''])('is not read with another one: %s', async (password) => {
    await expect(read(locked(), password)).rejects.toMatchObject({ name: 'PasswordException' })
  })
})
