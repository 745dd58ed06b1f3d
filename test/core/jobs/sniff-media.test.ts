import { describe, expect, it } from 'vitest'
import { sniffFile, sniffMedia } from '../../../src/core/jobs/sniff-media.ts'
import { png } from './image-bytes.ts'

const box = (brand: string): Buffer =>
  Buffer.concat([Buffer.from([0, 0, 0, 32]), Buffer.from(`ftyp${brand}`), Buffer.alloc(20)])

const boxOf = (name: string, content: Buffer): Buffer => {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(content.length + 8)
  head.write(name, 4, 'latin1')
  return Buffer.concat([head, content])
}
const SIZE = boxOf('ispe', Buffer.from([0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 5]))

describe('what bytes are', () => {
  it.each([
    ['image/png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0])],
    ['image/jpeg', Buffer.from([0xff, 0xd8, 0xff, 0xe0])],
    ['image/gif', Buffer.from('GIF89a')],
    ['image/webp', Buffer.from('RIFF\x00\x00\x00\x00WEBPVP8 ')],
    ['image/avif', box('avif')],
    ['video/mp4', box('isom')],
    ['video/quicktime', box('qt  ')],
    ['video/webm', Buffer.from([0x1a, 0x45, 0xdf, 0xa3, 1])],
    ['audio/wav', Buffer.from('RIFF\x00\x00\x00\x00WAVEfmt ')],
    ['audio/mpeg', Buffer.from('ID3\x04')],
    ['audio/mpeg', Buffer.from([0xff, 0xfb, 0x90, 0x00])],
    ['audio/mp4', box('M4A ')],
    ['audio/ogg', Buffer.from('OggS')],
    ['audio/flac', Buffer.from('fLaC')],
  ])('%s', (type, bytes) => expect(sniffMedia(bytes)).toBe(type))

  it.each([
    '',
    '<svg xmlns="http://www.w3.org/2000/svg" onload="x()">',
    '<!doctype html><script>',
    '%PDF-1.7',
    'RIFF\x00\x00\x00\x00AVI LIST',
    'xxxxxxxxWAVE',
    'xxxxxxxxWEBP',
    '\xff\xff\xff\xff',
    '\x89PNG',
    'GIF',
    '{"a":1}',
    'javascript:',
  ])('nothing that a page could be made of: %j', (text) =>
    expect(sniffMedia(Buffer.from(text, 'latin1'))).toBe('application/octet-stream'),
  )

  it('of a part of a larger buffer', () => {
    const whole = Buffer.concat([Buffer.from('<html>'), Buffer.from([0xff, 0xd8, 0xff, 0xe0])])
    expect(sniffMedia(whole.subarray(6))).toBe('image/jpeg')
  })
})

describe('the size of a file', () => {
  it('is that of an image', () =>
    expect(sniffFile(png(640, 480))).toEqual({ type: 'image/png', width: 640, height: 480 }))

  it.each([
    ['image/png', png(640, 480).subarray(0, 20)],
    ['image/gif', Buffer.from('GIF89a')],
    // Its track states a size, but it isn't an image.
    ['video/mp4', Buffer.concat([box('isom'), boxOf('moov', boxOf('trak', SIZE))])],
    [
      'application/octet-stream',
      Buffer.concat([
        Buffer.from('BM'),
        Buffer.alloc(12),
        Buffer.from([40, 0, 0, 0, 5, 0, 0, 0, 5, 0, 0, 0]),
      ]),
    ],
  ])('is absent if it isn’t there, or if the type isn’t of an image: %s', (type, bytes) =>
    expect(sniffFile(bytes)).toEqual({ type }),
  )
})
