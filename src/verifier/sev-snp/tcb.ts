import type { SevProduct, Tcb } from '../policy.ts'

type Component = keyof Tcb

/** TCB_VERSION (AMD 56860, section "TCB Version"): the byte of each component's security patch level. */
const MILAN_AND_GENOA = { bootloader: 0, tee: 1, snp: 6, microcode: 7, reserved: [2, 3, 4, 5] } as const
const TURIN = { fmc: 0, bootloader: 1, tee: 2, snp: 3, microcode: 7, reserved: [4, 5, 6] } as const

/** Components in display order. */
const COMPONENTS = ['fmc', 'bootloader', 'tee', 'snp', 'microcode'] as const

/**
 * Returns undefined if a reserved byte is set. @param raw the 8 bytes of a report's TCB_VERSION, in the
 * report's order
 */
export function decodeTcb(raw: Uint8Array, product: SevProduct): Tcb | undefined {
  const layout = product === 'Turin' ? TURIN : MILAN_AND_GENOA
  for (const position of layout.reserved) if (raw[position] !== 0) return undefined
  const at = (position: number) => raw[position] ?? 0
  return {
    ...('fmc' in layout && { fmc: at(layout.fmc) }),
    bootloader: at(layout.bootloader),
    tee: at(layout.tee),
    snp: at(layout.snp),
    microcode: at(layout.microcode),
  }
}

/** Returns the components of `tcb` below the minimum. A component without a minimum may have any level. */
export function belowFloor(tcb: Tcb, floor: Tcb): readonly Component[] {
  return COMPONENTS.filter((component) => (tcb[component] ?? 0) < (floor[component] ?? 0))
}

/** A component that only one of them has makes them differ. */
export function sameTcb(a: Tcb, b: Tcb): boolean {
  return COMPONENTS.every((component) => a[component] === b[component])
}

/** For example `bootloader 10, tee 0, snp 23, microcode 84`. */
export function describeTcb(tcb: Tcb): string {
  return COMPONENTS.flatMap((component) =>
    tcb[component] === undefined ? [] : [`${component} ${tcb[component]}`],
  ).join(', ')
}
