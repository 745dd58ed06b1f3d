// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest'
import { pastedFiles } from '../../src/renderer/files/given-files.ts'

function clipboard(text: string | undefined, ...files: readonly File[]): DataTransfer {
  const data = new DataTransfer()
  if (text !== undefined) data.setData('text/plain', text)
  for (const file of files) data.items.add(file)
  return data
}

const names = (data: DataTransfer) => pastedFiles(data).map(({ name }) => name)

describe('a paste', () => {
  it('of up to 40 lines of text belongs in the field', () => {
    expect(names(clipboard('one line'))).toEqual([])
    expect(names(clipboard('line\n'.repeat(39)))).toEqual([])
  })

  it('of more lines becomes a file with exactly that text', async () => {
    const text = 'line\r\n'.repeat(40)
    const [file, ...others] = pastedFiles(clipboard(text))
    expect(others).toEqual([])
    expect(file?.name).toBe('Pasted text.txt')
    expect(file?.type).toBe('text/plain')
    await expect(file?.text()).resolves.toBe(text)
  })

  it('of one very long line stays text', () => {
    expect(names(clipboard('x'.repeat(100_000)))).toEqual([])
  })

  it('of a picture attaches it under a name of its own', () => {
    expect(names(clipboard(undefined, new File(['x'], 'image.png')))).toEqual(['Pasted image.png'])
  })

  it('of cells of a spreadsheet is text, though it has a picture too', () => {
    expect(names(clipboard('a\tb', new File(['x'], 'image.png')))).toEqual([])
  })

  it('of a file with its name as text attaches the file', () => {
    expect(names(clipboard('notes.md', new File(['x'], 'notes.md')))).toEqual(['notes.md'])
  })
})

describe('a paste of files with text', () => {
  const file = (name: string) => new File(['x'], name)

  it.each([
    ['names on lines', 'a.txt\nb.pdf', ['a.txt', 'b.pdf']],
    ['names with Mac line ends', 'a.txt\rb.pdf', ['a.txt', 'b.pdf']],
    ['a path', '/home/ada/a.txt', ['a.txt']],
    ['a Windows path', String.raw`C:\Users\Ada\a.txt`, ['a.txt']],
    [
      'file addresses',
      'file:///home/ada/my%20notes.txt\r\nfile:///home/ada/b.pdf',
      ['my notes.txt', 'b.pdf'],
    ],
    ['a name in decomposed letters', 'Cafe\u0301.txt', ['Caf\u00e9.txt']],
  ])('of %s attaches the files', (_, text, expectedNames) => {
    expect(names(clipboard(text, ...expectedNames.map(file)))).toEqual(expectedNames)
  })

  it.each([
    ['another text', 'a\tb'],
    ['a text that only contains the name', 'see a.txt'],
    ['a malformed address', 'file:///%E0%A4%A'],
  ])('of %s is text', (_, text) => {
    expect(names(clipboard(text, file('a.txt')))).toEqual([])
  })
})
