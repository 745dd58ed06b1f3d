import { z } from 'zod'

/** What the sandbox's wallet can be told to do wrong, one at a time, and what it does then. */
export const sandboxWalletFaults = {
  'silent': 'Silent: does nothing, says nothing',
  'lost-reply': 'Pays; its answer is lost',
  'late-reply': 'Pays; answers when this is off',
  'slow': 'Waits some seconds, then pays',
  'held': 'Holds the money until this is off',
  'insufficient-balance': 'Has too little money',
  'quota': 'Its budget is used up',
  'payment-failed': 'Finds no route',
  'empty-preimage': 'Pays; shows no preimage at first',
  'wrong-preimage': 'Pays; shows a wrong preimage at first',
  'forgetful': 'Pays; knows nothing of it later',
  'relay-gone': 'Its relay is gone',
} as const

export type SandboxWalletFault = keyof typeof sandboxWalletFaults

export const sandboxWalletFaultNames: readonly SandboxWalletFault[] = Object.keys(sandboxWalletFaults).filter(isSandboxWalletFault)

export const sandboxWalletFaultSchema = z.string().refine(isSandboxWalletFault)

export function isSandboxWalletFault(name: string): name is SandboxWalletFault {
  return Object.hasOwn(sandboxWalletFaults, name)
}
