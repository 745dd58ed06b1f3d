export interface Film {
  readonly width: number
  readonly height: number
  readonly framesPerSecond: number
  readonly sequenceParameters: Buffer
  readonly pictureParameters: Buffer
  /** The first can be decoded alone, the others after it. */
  readonly frames: readonly Buffer[]
}

/** An MP4 file (ISO/IEC 14496-12, -14, -15): one track of H.264, its index before its data so that it plays while it loads. */
export function writeMp4(film: Film): Buffer {
  const type = box('ftyp', Buffer.from('isom\0\0\x02\0isomiso2avc1mp41', 'latin1'))
  const samples = film.frames.map((frame) => Buffer.concat([u32(frame.length), frame]))
  // The index has the same length wherever the data is.
  const start = type.length + movie(film, samples, 0).length + 8
  return Buffer.concat([type, movie(film, samples, start), box('mdat', ...samples)])
}

function movie(film: Film, samples: readonly Buffer[], start: number): Buffer {
  const duration = u32(film.frames.length)
  const scale = u32(film.framesPerSecond)
  const dates = Buffer.alloc(8)
  const header = full(
    'mvhd',
    0,
    dates,
    scale,
    duration,
    u32(0x10000),
    u16(0x100),
    Buffer.alloc(10),
    matrix,
    Buffer.alloc(24),
    u32(2),
  )
  const track = full(
    'tkhd',
    3,
    dates,
    u32(1),
    Buffer.alloc(4),
    duration,
    Buffer.alloc(16),
    matrix,
    u32(film.width << 16),
    u32(film.height << 16),
  )
  const media = box(
    'mdia',
    full('mdhd', 0, dates, scale, duration, u16(0x55c4), u16(0)),
    full(
      'hdlr',
      0,
      Buffer.alloc(4),
      Buffer.from('vide', 'latin1'),
      Buffer.alloc(12),
      Buffer.from('Sandbox\0', 'latin1'),
    ),
    box(
      'minf',
      full('vmhd', 1, Buffer.alloc(8)),
      box('dinf', full('dref', 0, u32(1), full('url ', 1))),
      sampleTable(film, samples, start),
    ),
  )
  return box('moov', header, box('trak', track, media))
}

function sampleTable(
  { width, height, sequenceParameters, pictureParameters }: Film,
  samples: readonly Buffer[],
  start: number,
): Buffer {
  const configuration = box(
    'avcC',
    Buffer.of(1, 66, 0xc0, 40, 0xff, 0xe1),
    u16(sequenceParameters.length),
    sequenceParameters,
    Buffer.of(1),
    u16(pictureParameters.length),
    pictureParameters,
  )
  const entry = box(
    'avc1',
    Buffer.alloc(6),
    u16(1),
    Buffer.alloc(16),
    u16(width),
    u16(height),
    u32(0x480000),
    u32(0x480000),
    Buffer.alloc(4),
    u16(1),
    Buffer.alloc(32),
    u16(24),
    u16(0xffff),
    configuration,
  )
  return box(
    'stbl',
    full('stsd', 0, u32(1), entry),
    full('stts', 0, u32(1), u32(samples.length), u32(1)),
    full('stss', 0, u32(1), u32(1)),
    full('stsc', 0, u32(1), u32(1), u32(samples.length), u32(1)),
    full('stsz', 0, u32(0), u32(samples.length), ...samples.map(({ length }) => u32(length))),
    full('stco', 0, u32(1), u32(start)),
  )
}

const matrix = Buffer.concat([0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000].map(u32))

function box(type: string, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), ...parts])
  return Buffer.concat([u32(body.length + 4), body])
}

/** With a version, which is 0, and flags. */
function full(type: string, flags: number, ...parts: readonly Buffer[]): Buffer {
  return box(type, u32(flags), ...parts)
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(value)
  return bytes
}
