import { enclosing, type ByteView, type PixelSize } from './size.ts'

const [WIDTH, HEIGHT] = [256, 257]
const MAX_DIRECTORIES = 1_000
const MAX_ENTRIES = 4_096

/** How a directory is laid out: TIFF 6.0, section 2, or BigTIFF. */
interface Layout {
  readonly count: number
  readonly entry: number
  readonly value: number
  readonly read: (at: number) => number
  readonly readCount: (at: number) => number
}

/**
 * The size of the largest picture of a TIFF file.
 *
 * @param view An attacker controls its bytes
 */
export function tiffSize(view: ByteView): PixelSize | undefined {
  const little = view.text(0, 2) === 'II'
  const isBig = view.u16(2, little) === 43
  const layout: Layout = isBig
    ? {
        count: 8,
        entry: 20,
        value: 12,
        read: (at) => view.u64(at, little),
        readCount: (at) => view.u64(at, little),
      }
    : {
        count: 2,
        entry: 12,
        value: 8,
        read: (at) => view.u32(at, little),
        readCount: (at) => view.u16(at, little),
      }
  const sizes: PixelSize[] = []
  const seen = new Set<number>()
  let at = layout.read(isBig ? 8 : 4)
  while (at > 0 && at < view.length && !seen.has(at) && seen.size < MAX_DIRECTORIES) {
    seen.add(at)
    const entries = Math.min(layout.readCount(at), MAX_ENTRIES)
    const size = { width: 0, height: 0 }
    for (let index = 0; index < entries; index += 1) {
      const entry = at + layout.count + index * layout.entry
      const tag = view.u16(entry, little)
      const value = valueOf(view, entry, layout, little)
      if (tag === WIDTH) size.width = Math.max(size.width, value)
      if (tag === HEIGHT) size.height = Math.max(size.height, value)
    }
    sizes.push(size)
    at = layout.read(at + layout.count + entries * layout.entry)
  }
  return enclosing(sizes)
}

/** A number of 1, 2, 4 or 8 bytes, by the type of the entry. */
function valueOf(view: ByteView, entry: number, { value }: Layout, little: boolean): number {
  switch (view.u16(entry + 2, little)) {
    case 1:
      return view.u8(entry + value)
    case 3:
      return view.u16(entry + value, little)
    case 16:
      return view.u64(entry + value, little)
    default:
      return view.u32(entry + value, little)
  }
}
