import type { NitroPolicy } from '../policy.ts'
import { msg } from '../message.ts'
import type { Checklist } from '../checklist.ts'
import { toHex } from '../text.ts'
import type { NitroDocument } from './document.ts'
import type { NitroStep } from './plan.ts'

/** PCR0 measures the whole image, PCR1 its kernel and boot RAM disk, PCR2 the application. */
const REGISTERS = [
  ['pcr0', 0],
  ['pcr1', 1],
  ['pcr2', 2],
] as const

/** An enclave in debug mode measures nothing: its registers are zero, whatever it runs. No policy can name them. */
export function checkDebug(checks: Checklist<'nitro/debug'>, document: NitroDocument): void {
  const debug = document.pcrs.get(0)?.every((byte) => byte === 0) ?? false
  checks.record(
    'nitro/debug',
    debug ? 'nitro/debug-enclave' : undefined,
    msg('a measured image'),
    debug ? msg('a PCR0 of zeros: debug mode') : msg('a measured image'),
  )
}

/** Judges what an authenticated document says of the image that runs. Ends at the first failure. */
export function checkImage(
  checks: Checklist<NitroStep>,
  document: NitroDocument,
  { images }: NitroPolicy,
): void {
  checkDebug(checks, document)
  const accepted = images.some((image) =>
    REGISTERS.every(([name, index]) => {
      const pinned = image[name]
      return pinned === undefined || pinned === hexOf(document.pcrs.get(index))
    }),
  )
  const observed = REGISTERS.map(([name, index]) => `${name} ${hexOf(document.pcrs.get(index)) ?? '–'}`).join(
    ', ',
  )
  checks.record(
    'nitro/image',
    accepted ? undefined : 'nitro/image-not-accepted',
    images.map(describeImage).join('; '),
    observed,
  )
}

function describeImage(image: NitroPolicy['images'][number]): string {
  return REGISTERS.flatMap(([name]) => (image[name] === undefined ? [] : [`${name} ${image[name]}`])).join(
    ', ',
  )
}

function hexOf(pcr: Uint8Array | undefined): string | undefined {
  return pcr && toHex(pcr)
}
