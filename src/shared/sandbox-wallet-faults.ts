import { z } from 'zod'

/** The faults that the sandbox's wallet can simulate, one at a time, with their effects. */
export const sandboxWalletFaults = {
  silent: 'Does nothing and doesn’t reply',
  'lost-reply': 'Pays, but its reply is lost',
  'late-reply': 'Pays, but replies only when this is off',
  slow: 'Waits a few seconds, then pays',
  held: 'Holds the money until this is off',
  'insufficient-balance': 'Insufficient balance',
  quota: 'Budget used up',
  'payment-failed': 'Finds no route',
  'empty-preimage': 'Pays, but first shows no preimage',
  'wrong-preimage': 'Pays, but first shows a wrong preimage',
  forgetful: 'Pays, but later has no record of it',
  'relay-gone': 'Relay offline',
} as const

export type SandboxWalletFault = keyof typeof sandboxWalletFaults

export const sandboxWalletFaultNames: readonly SandboxWalletFault[] =
  Object.keys(sandboxWalletFaults).filter(isSandboxWalletFault)

export const sandboxWalletFaultSchema = z.string().refine(isSandboxWalletFault)

export function isSandboxWalletFault(name: string): name is SandboxWalletFault {
  return Object.hasOwn(sandboxWalletFaults, name)
}
