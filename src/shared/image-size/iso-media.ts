import { enclosing, type ByteView, type PixelSize } from './size.ts'

/** Boxes that contain boxes, with how many bytes are before the first one (ISO/IEC 14496-12 and 23008-12). */
const CONTAINERS: Readonly<Record<string, number>> = {
  meta: 4,
  iprp: 0,
  ipco: 0,
  moov: 0,
  trak: 0,
  mdia: 0,
  minf: 0,
  stbl: 0,
  stsd: 8,
}
const MAX_BOXES = 100_000
const MAX_DEPTH = 8

/**
 * The size of an AVIF or HEIC image: of its largest picture, and of its tracks. A picture made of tiles states its own size.
 *
 * @param view An attacker controls its bytes
 */
export function isoMediaSize(view: ByteView): PixelSize | undefined {
  const sizes: PixelSize[] = []
  let boxes = 0
  const visit = (from: number, end: number, depth: number) => {
    for (let at = from; at + 8 <= end && boxes < MAX_BOXES;) {
      boxes += 1
      const name = view.text(at + 4, 4)
      const stated = view.u32(at)
      const header = stated === 1 ? 16 : 8
      // A length of 0 means: up to the end.
      const length = stated === 1 ? view.u64(at + 8) : stated === 0 ? end - at : stated
      if (length < header) return
      const content = at + header
      const inside = Object.hasOwn(CONTAINERS, name) ? CONTAINERS[name] : undefined
      if (name === 'ispe') sizes.push({ width: view.u32(content + 4), height: view.u32(content + 8) })
      else if (/^(?:av01|hvc1|hev1)$/.test(name))
        sizes.push({ width: view.u16(content + 24), height: view.u16(content + 26) })
      else if (inside !== undefined && depth < MAX_DEPTH)
        visit(content + inside, Math.min(at + length, end), depth + 1)
      at += length
    }
  }
  visit(0, view.length, 0)
  return enclosing(sizes)
}
