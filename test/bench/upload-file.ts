import { writeWave } from '../../src/sandbox/audio/wave.ts'

const HEAD_BYTES = 44

/** A silent recording whose file has this many bytes. */
export function wave(bytes: number): Uint8Array {
  return writeWave(new Float32Array((bytes - HEAD_BYTES) / 2), '').subarray(0, bytes)
}
