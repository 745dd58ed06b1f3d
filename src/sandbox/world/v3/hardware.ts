import { pem } from '../../der/certificate.ts'
import type { CollateralItem } from '../evidence.ts'
import { sevMachine, type SevChanges } from '../sev-evidence.ts'
import { tdxMachine, type TdxChanges } from '../tdx-evidence.ts'
import type { MintingWorld } from './document-desk.ts'

export interface HardwareChanges {
  readonly sev?: SevChanges
  readonly tdx?: TdxChanges
}

interface HardwareEvidence {
  readonly format: string
  /** The report or quote. */
  readonly raw: Buffer
  readonly collateral: readonly CollateralItem[]
}

const subjects = ['cpu']

/** The machine's evidence over these 64 bytes, with the vendor's endorsements of the machine. */
export function mintHardwareEvidence(
  world: MintingWorld,
  reportData: Uint8Array,
  changes: HardwareChanges,
): HardwareEvidence {
  return world.platform === 'tdx'
    ? mintQuote(world, reportData, changes.tdx)
    : mintReport(world, reportData, changes.sev)
}

function mintReport(world: MintingWorld, reportData: Uint8Array, changes?: SevChanges): HardwareEvidence {
  const { report, vcek, revocations } = sevMachine(world, reportData, changes)
  const chain = [world.roots.ask, world.roots.ark].map((der) => pem(der)).join('')
  return {
    format: 'https://tinfoil.sh/format/sev-snp-report/v1',
    raw: report,
    collateral: [
      {
        id: 'cpu-endorsement',
        role: 'endorsement',
        format: 'https://tinfoil.sh/collateral/amd-vcek/v1',
        subjects,
        data: { vcek_der_base64: vcek.toString('base64'), cert_chain_pem: chain },
      },
      { ...revocations, id: 'cpu-crl', subjects },
    ],
  }
}

function mintQuote(world: MintingWorld, reportData: Uint8Array, changes?: TdxChanges): HardwareEvidence {
  const { quote, collateral } = tdxMachine(world, reportData, changes)
  return {
    format: 'https://tinfoil.sh/format/tdx-quote/v1',
    raw: quote,
    collateral: world.faults.has('missing-collateral')
      ? []
      : [{ ...collateral, id: 'cpu-endorsement', subjects }],
  }
}
