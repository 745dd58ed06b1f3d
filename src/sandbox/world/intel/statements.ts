import { evaluationNumber, qeMrSigner, qeProductId } from './quoting-enclave.ts'
import { fmspc, pceId, pceSvn } from './machine.ts'

/** Seconds are as fine as Intel's times go. */
function instant(at: number): string {
  return new Date(at).toISOString().replace(/\.\d{3}Z$/, 'Z')
}

interface Component {
  readonly svn: number
  readonly category?: string
  readonly type?: string
}

function components(...first: readonly Component[]): Component[] {
  return [...first, ...Array.from({ length: 16 - first.length }, () => ({ svn: 0 }))]
}

const sgxComponents = components(
  { svn: 2, category: 'BIOS', type: 'Early Microcode Update' },
  { svn: 2, category: 'OS/VMM', type: 'SGX Late Microcode Update' },
  { svn: 2, category: 'OS/VMM', type: 'TXT SINIT' },
  { svn: 2, category: 'BIOS' },
  { svn: 3, category: 'BIOS' },
  { svn: 1, category: 'BIOS' },
  { svn: 0 },
  { svn: 5, category: 'OS/VMM', type: 'SEAMLDR ACM' },
)
const tdxComponents = components(
  { svn: 2, category: 'OS/VMM', type: 'TDX Module' },
  { svn: 0, category: 'OS/VMM', type: 'TDX Module' },
  { svn: 2, category: 'OS/VMM', type: 'TDX Late Microcode Update' },
)

function tcbLevel(
  pcesvn: number,
  tcbDate: string,
  tcbStatus: 'UpToDate' | 'OutOfDate',
  advisoryIDs?: readonly string[],
): object {
  return {
    tcb: { sgxtcbcomponents: sgxComponents, pcesvn, tdxtcbcomponents: tdxComponents },
    tcbDate,
    tcbStatus,
    ...(advisoryIDs && { advisoryIDs }),
  }
}

/** Intel's own modules have no other signer and no attributes. */
const intelModule = { mrsigner: '0'.repeat(96), attributes: '0'.repeat(16), attributesMask: 'F'.repeat(16) }

function moduleIdentity(major: string, isvsvn: number): object {
  return {
    id: `TDX_${major}`,
    ...intelModule,
    tcbLevels: [{ tcb: { isvsvn }, tcbDate: '2024-03-13T00:00:00Z', tcbStatus: 'UpToDate' }],
  }
}

/** TCB info of version 3 (Intel PCS API version 4). @param issued @param next Unix ms */
export function tcbInfo(
  issued: number,
  next: number,
  machineOutOfDate: boolean,
  evaluation = evaluationNumber,
): object {
  return {
    id: 'TDX',
    version: 3,
    issueDate: instant(issued),
    nextUpdate: instant(next),
    fmspc: fmspc.toString('hex').toUpperCase(),
    pceId: pceId.toString('hex'),
    tcbType: 0,
    tcbEvaluationDataNumber: evaluation,
    tdxModule: intelModule,
    tdxModuleIdentities: [moduleIdentity('03', 3), moduleIdentity('01', 2)],
    tcbLevels: [
      tcbLevel(machineOutOfDate ? pceSvn + 2 : pceSvn, '2024-03-13T00:00:00Z', 'UpToDate'),
      tcbLevel(5, '2018-01-04T00:00:00Z', 'OutOfDate', [
        'INTEL-SA-00106',
        'INTEL-SA-00477',
        'INTEL-SA-00837',
      ]),
    ],
  }
}

/** Identity of the quoting enclave, version 2. @param issued @param next Unix ms */
export function qeIdentity(issued: number, next: number, evaluation = evaluationNumber): object {
  return {
    id: 'TD_QE',
    version: 2,
    issueDate: instant(issued),
    nextUpdate: instant(next),
    tcbEvaluationDataNumber: evaluation,
    miscselect: '00000000',
    miscselectMask: 'FFFFFFFF',
    attributes: '11000000000000000000000000000000',
    attributesMask: 'FBFFFFFFFFFFFFFF0000000000000000',
    mrsigner: qeMrSigner.toString('hex').toUpperCase(),
    isvprodid: qeProductId,
    tcbLevels: [{ tcb: { isvsvn: 4 }, tcbDate: '2024-03-13T00:00:00Z', tcbStatus: 'UpToDate' }],
  }
}
