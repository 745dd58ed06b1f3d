import { UnreadableFile } from './unreadable-file.ts'

const MAX_ENTRIES = 20_000

const END_OF_DIRECTORY = 0x06054b50
const END_OF_DIRECTORY_64 = 0x06064b50
const LOCATOR_64 = 0x07064b50
const DIRECTORY_ENTRY = 0x02014b50
const MAX_COMMENT = 65_535

/** The value of 16 or 32 bits if the real number has 64 bits and is elsewhere. */
const IN_64_BITS = { 16: 0xffff, 32: 0xffff_ffff } as const
const EXTRA_64 = 1

/** An entry as the directory states it. An attacker controls every member. */
export interface ZipEntry {
  readonly method: number
  readonly encrypted: boolean
  /** Of its packed bytes. */
  readonly size: number
  /** Of its local header. */
  readonly offset: number
}

interface Directory {
  readonly count: number
  readonly offset: number
}

/**
 * Reads the directory of a ZIP or ZIP64 archive (PKZIP application note, sections 4.3.12 to 4.3.16 and 4.5.3). Of entries with an equal
 * name the first one counts.
 *
 * @throws {UnreadableFile} attachment/document-damaged, attachment/document-too-large
 */
export function readZipDirectory(bytes: Uint8Array, view: DataView): ReadonlyMap<string, ZipEntry> {
  const { count, offset } = findDirectory(bytes, view)
  if (count > MAX_ENTRIES) throw new UnreadableFile('attachment/document-too-large')
  const entries = new Map<string, ZipEntry>()
  let at = offset
  for (let number = 0; number < count; number += 1) {
    if (at + 46 > bytes.length || view.getUint32(at, true) !== DIRECTORY_ENTRY) throw damaged()
    const nameLength = view.getUint16(at + 28, true)
    const extraLength = view.getUint16(at + 30, true)
    const next = at + 46 + nameLength + extraLength + view.getUint16(at + 32, true)
    const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameLength)).replaceAll('\\', '/')
    if (!entries.has(name)) entries.set(name, readEntry(view, at, nameLength, extraLength))
    at = next
  }
  return entries
}

function readEntry(view: DataView, at: number, nameLength: number, extraLength: number): ZipEntry {
  const extra = at + 46 + nameLength
  const [unpacked, size, offset] = [
    view.getUint32(at + 24, true),
    view.getUint32(at + 20, true),
    view.getUint32(at + 42, true),
  ]
  const wide = wideNumbers(view, extra, Math.min(extra + extraLength, view.byteLength))
  // The field has only those numbers that don't fit, in this order.
  const [, realSize, realOffset] = [unpacked, size, offset].map((value) => {
    if (value !== IN_64_BITS[32]) return value
    const real = wide.shift()
    if (real === undefined) throw damaged()
    return real
  })
  return {
    method: view.getUint16(at + 10, true),
    encrypted: (view.getUint16(at + 8, true) & 1) === 1,
    size: realSize ?? size,
    offset: realOffset ?? offset,
  }
}

/** The numbers of the ZIP64 field between two places; none if there is no such field. */
function wideNumbers(view: DataView, from: number, to: number): number[] {
  for (let at = from; at + 4 <= to;) {
    const end = at + 4 + view.getUint16(at + 2, true)
    if (view.getUint16(at, true) === EXTRA_64) {
      const numbers: number[] = []
      for (let place = at + 4; place + 8 <= Math.min(end, to); place += 8) numbers.push(readWide(view, place))
      return numbers
    }
    at = end
  }
  return []
}

function findDirectory(bytes: Uint8Array, view: DataView): Directory {
  const end = findEnd(bytes, view)
  const [count, offset] = [view.getUint16(end + 10, true), view.getUint32(end + 16, true)]
  if (count !== IN_64_BITS[16] && offset !== IN_64_BITS[32]) return { count, offset }
  const locator = end - 20
  // An archive with so many entries may also do without the larger format.
  if (locator < 0 || view.getUint32(locator, true) !== LOCATOR_64) return { count, offset }
  const wide = readWide(view, locator + 8)
  if (wide + 56 > bytes.length || view.getUint32(wide, true) !== END_OF_DIRECTORY_64) throw damaged()
  return { count: readWide(view, wide + 32), offset: readWide(view, wide + 48) }
}

/** A file here is far smaller than what a number expresses exactly, so a larger one is beyond its end anyway. */
function readWide(view: DataView, at: number): number {
  return view.getUint32(at + 4, true) * 2 ** 32 + view.getUint32(at, true)
}

function findEnd(bytes: Uint8Array, view: DataView): number {
  const last = bytes.length - 22
  for (let at = last; at >= 0 && at >= last - MAX_COMMENT; at -= 1)
    if (view.getUint32(at, true) === END_OF_DIRECTORY) return at
  throw damaged()
}

function damaged(): UnreadableFile {
  return new UnreadableFile('attachment/document-damaged')
}
