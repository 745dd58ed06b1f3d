import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nameFileKind, recognizeFile } from '../../../src/shared/file-kind.ts'
import { renderEnglish } from '../../../src/shared/localized-text.ts'
import { isAnimated, isTurned } from '../../../src/renderer/files/readers/image-facts.ts'

const fileCase = (name: string) => new Uint8Array(readFileSync(join(import.meta.dirname, 'cases', name)))
const latin = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'))

test.each([
  ['photo-as.jpg', 'image', 'This image is in HEIC format.'],
  ['photo.heic', 'image', 'This image is in HEIC format.'],
  ['photo.avif', 'image', 'This image is in AVIF format.'],
  ['pic.tiff', 'image', 'This image is in TIFF format.'],
  ['pic.bmp', 'image', 'This image is in BMP format.'],
  ['png-as.jpg', 'png', ''],
  ['pic.png', 'png', ''],
  ['pic.webp', 'webp', ''],
  ['rotated.jpg', 'jpeg', ''],
  ['anim.gif', 'gif', ''],
  ['pic.svg', 'svg', ''],
  ['plain-as.txt', 'pdf', ''],
  ['junk-before.pdf', 'pdf', ''],
  ['report.docx', 'zip', 'This is an archive.'],
  ['Makefile', 'other', ''],
  ['noext', 'other', ''],
])('%s is known by its content', (name, kind, sentence) => {
  expect(recognizeFile(fileCase(name)).kind).toBe(kind)
  expect(renderEnglish(nameFileKind(fileCase(name), name))).toBe(sentence)
})

test.each([
  ['\0\0\x01\0\x01\0', 'This image is in ICO format.'],
  ['P6\n# made\n40 20\n255\n', 'This image is in Netpbm format.'],
  ['P3 2 2 255 1 2 3', 'This image is in Netpbm format.'],
  ['\x1f\x8b\x08', 'This is an archive.'],
  ['\x7fELF\x02', 'This is a program.'],
  ['MZ\0\0', 'This is a program.'],
  ['ID3\x03', 'This is an audio file.'],
  ['\0\0\0\x18ftypisom', 'This is a video.'],
  ['SQLite format 3\0', 'This is a database.'],
  ['wOF2', 'This is a font.'],
  ['RIFF\0\0\0\0WAVE', 'This is an audio file.'],
  ['MZ is a word', ''],
  ['BM is a word', ''],
])('%j has its name', (start, sentence) => {
  expect(renderEnglish(nameFileKind(latin(start), 'x'))).toBe(sentence)
})

test('an image that is shown turned is known, and one with several frames', () => {
  expect(isTurned(fileCase('rotated.jpg'), 'jpeg')).toBe(true)
  for (const name of ['pic.png', 'anim.png'] as const) expect(isTurned(fileCase(name), 'png')).toBe(false)
  expect(isAnimated(fileCase('anim.gif'), 'gif')).toBe(true)
  expect(isAnimated(fileCase('anim.png'), 'png')).toBe(true)
  expect(isAnimated(fileCase('pic.png'), 'png')).toBe(false)
  expect(isAnimated(fileCase('pic.webp'), 'webp')).toBe(false)
})

test('any bytes have a kind', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 600 }),
      fc.constantFrom('GIF89a', '\xff\xd8\xff', 'II*\0', 'PK\x03\x04', ''),
      (bytes, sign) => {
        const file = Uint8Array.from([...latin(sign), ...bytes])
        recognizeFile(file)
        nameFileKind(file, 'x')
        for (const kind of ['gif', 'jpeg', 'png', 'webp'] as const) {
          isAnimated(file, kind)
          isTurned(file, kind)
        }
      },
    ),
  )
})
