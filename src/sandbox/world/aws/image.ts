import { createHash } from 'node:crypto'

const registers = 16
const registerBytes = 48

/** Stands for SHA-384 over a part of an enclave image: one value for each build. */
function measured(part: string, build: string): Buffer {
  return createHash('sha384').update(`sotto-sandbox nitro ${part} of ${build}`).digest()
}

/** PCR0, the whole image; PCR1, kernel and boot files; PCR2, the application. */
export interface NitroImage {
  readonly pcr0: Buffer
  readonly pcr1: Buffer
  readonly pcr2: Buffer
}

export function imageOf(build: string): NitroImage {
  return {
    pcr0: measured('image', build),
    pcr1: measured('kernel', build),
    pcr2: measured('application', build),
  }
}

/** The image that the sandbox's policy accepts. */
export const nitroImage = imageOf('the published image')

/** All registers of an enclave. In debug mode those of its image are zero; PCR3 and PCR4 name the role and the instance, and the others stay zero. */
export function pcrsOf(image: NitroImage, debug: boolean): ReadonlyMap<number, Buffer> {
  const zero = Buffer.alloc(registerBytes)
  const stated = new Map<number, Buffer>([
    ...(debug
      ? []
      : ([
          [0, image.pcr0],
          [1, image.pcr1],
          [2, image.pcr2],
        ] as const)),
    [3, measured('role', 'the parent instance')],
    [4, measured('instance', 'the parent instance')],
  ])
  return new Map(Array.from({ length: registers }, (_, index) => [index, stated.get(index) ?? zero]))
}
