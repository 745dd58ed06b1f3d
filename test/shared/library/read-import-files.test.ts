import { zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { zip64Of } from '../../zip64.ts'
import { readImportFiles, type ImportInput } from '../../../src/shared/library/read-import-files.ts'

const encode = (text: string) => new TextEncoder().encode(text)

async function readAll(bytes: Uint8Array, length = 1_000_000, name = 'a') {
  async function* pieces() {
    await Promise.resolve()
    for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length)
  }
  const inputs: ImportInput[] = []
  for await (const input of readImportFiles([{ name, bytes: pieces }])) inputs.push(input)
  const texts = new Map<string, string>()
  for (const input of inputs)
    if (input.type === 'text') texts.set(input.file.name, (texts.get(input.file.name) ?? '') + input.text)
  return {
    texts: Object.fromEntries(texts),
    otherFiles: inputs.filter(({ type }) => type === 'other-file').length,
    read: inputs.reduce((sum, input) => sum + (input.type === 'read' ? input.bytes : 0), 0),
  }
}

const utf16 = (text: string, littleEndian: boolean) => {
  const bytes = Buffer.from(text, 'utf16le')
  return Uint8Array.from(littleEndian ? bytes : bytes.swap16())
}

test.each([
  ['UTF-8', encode('["é"]')],
  ['UTF-8 with a byte order mark', encode('\ufeff["é"]')],
  ['UTF-16 LE with a byte order mark', utf16('\ufeff["é"]', true)],
  ['UTF-16 BE with a byte order mark', utf16('\ufeff["é"]', false)],
  ['UTF-16 LE', utf16('["é"]', true)],
  ['UTF-16 BE', utf16('["é"]', false)],
])('%s is decoded, in pieces of any length', async (_, bytes) => {
  for (const length of [1, 3, 1000])
    expect(await readAll(bytes, length)).toEqual({ texts: { a: '["é"]' }, otherFiles: 0, read: bytes.length })
})

test.each([1, 7, 100_000])('the JSON files of an archive are read in pieces of %d bytes', async (length) => {
  const archive = zipSync({
    'conversations-000.json': encode('[1]'),
    'folder/messages.jsonl': [encode('{"a":1}'), { level: 0 }],
    'image.png': new Uint8Array(5000),
    'chat.html': encode('<html>'),
  })
  expect(await readAll(archive, length, 'e.zip')).toMatchObject({
    texts: { 'e.zip/conversations-000.json': '[1]', 'e.zip/folder/messages.jsonl': '{"a":1}' },
    otherFiles: 2,
  })
})

test.each([1, 7, 100_000])('a ZIP64 archive is read in pieces of %d bytes', async (length) => {
  for (const method of [0, 8]) {
    const archive = zip64Of({ 'conversations.json': '[1,2]', 'image.png': 'x' }, { method })
    expect(await readAll(archive, length, 'e.zip')).toMatchObject({
      texts: { 'e.zip/conversations.json': '[1,2]' },
      otherFiles: 1,
    })
  }
})

test('an archive that expands too much is refused', async () => {
  const archive = zipSync({ 'a.json': new Uint8Array(120_000_000).fill(0x20) })
  expect(archive.length).toBeLessThan(200_000)
  await expect(readAll(archive)).rejects.toMatchObject({ code: 'library/archive-too-large' })
})

test.each([
  ['without a file', Uint8Array.from([0x50, 0x4b, 3, 4, 0xff, 0xfe, 0xff])],
  [
    'with damaged data',
    zipSync({ 'a.json': encode('[1,2,3,4]'.repeat(50)) }).map((byte, at) =>
      at > 40 && at < 60 ? 0xff : byte,
    ),
  ],
])('an archive %s is refused', async (_, archive) => {
  await expect(readAll(archive)).rejects.toMatchObject({ code: 'library/archive-invalid' })
})

test('a file that is not text is counted', async () => {
  expect(await readAll(Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0xff]))).toMatchObject({
    texts: {},
    otherFiles: 1,
  })
})

/** An archive whose headers say that each entry is encrypted. */
function encrypted(files: Record<string, Uint8Array>): Uint8Array {
  const archive = Buffer.from(zipSync(files))
  for (let at = archive.indexOf('PK\x03\x04', 0, 'latin1'); at >= 0;) {
    archive.writeUInt16LE(archive.readUInt16LE(at + 6) | 1, at + 6)
    at = archive.indexOf('PK\x03\x04', at + 4, 'latin1')
  }
  return Uint8Array.from(archive)
}

test.each([1, 7, 100_000])('an encrypted archive is named as such, in pieces of %d bytes', async (length) => {
  const archive = encrypted({
    'photo.png': encode('PK\x03\x04'),
    'chats/conversations.json': encode('[1,2]'),
  })
  await expect(readAll(archive, length)).rejects.toMatchObject({ code: 'library/archive-encrypted' })
  // Only chats need their password.
  expect(await readAll(encrypted({ 'photo.png': encode('x') }), length)).toMatchObject({ otherFiles: 1 })
})

test('web pages without JSON are named as such, in an archive and as files', async () => {
  const page = encode('<!DOCTYPE html><p>My Activity')
  const takeout = zipSync({ 'Takeout/My Activity/Gemini Apps/My Activity.html': page })
  await expect(readAll(takeout, 100, 'takeout.zip')).rejects.toMatchObject({ code: 'library/web-page' })
  await expect(readAll(page, 10, 'My Activity.html')).rejects.toMatchObject({ code: 'library/web-page' })
})
