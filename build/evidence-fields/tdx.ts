import { layOut } from './field.ts'

const LAYOUT = ['quote/layout']
const QE = ['intel/quoting-enclave']

/** The header of a quote (Intel TDX DCAP Quoting Library API, A.3.1). */
export const headerFields = layOut([
  { name: 'version', length: 2, steps: LAYOUT },
  { name: 'attestation key type', length: 2, steps: LAYOUT },
  { name: 'TEE type', length: 4, steps: LAYOUT },
  { name: 'reserved', length: 4, steps: LAYOUT },
  { name: 'QE vendor ID', length: 16, steps: LAYOUT },
  {
    name: 'user data',
    length: 20,
    steps: [],
    note: 'chosen by the quoting enclave; nothing is derived from it',
  },
])

/** The TDX module's report of a trust domain (A.3.2; the last two are those of TDX 1.5, A.4.3). */
export const bodyFields = layOut([
  { name: 'TEE_TCB_SVN', length: 16, steps: ['intel/module', 'intel/tcb-level', 'td/tcb'] },
  { name: 'MRSEAM', length: 48, steps: ['td/module'] },
  { name: 'MRSIGNERSEAM', length: 48, steps: ['intel/module'] },
  { name: 'SEAMATTRIBUTES', length: 8, steps: ['intel/module'] },
  { name: 'TDATTRIBUTES', length: 8, steps: ['td/debug', 'td/attributes'] },
  { name: 'XFAM', length: 8, steps: ['td/xfam'] },
  { name: 'MRTD', length: 48, steps: ['hardware/match', 'measurement/pinned'] },
  { name: 'MRCONFIGID', length: 48, steps: ['td/configuration'] },
  { name: 'MROWNER', length: 48, steps: ['td/configuration'] },
  { name: 'MROWNERCONFIG', length: 48, steps: ['td/configuration'] },
  { name: 'RTMR0', length: 48, steps: ['hardware/match', 'measurement/pinned'] },
  { name: 'RTMR1', length: 48, steps: ['measurement/match', 'measurement/pinned'] },
  { name: 'RTMR2', length: 48, steps: ['measurement/match', 'measurement/pinned'] },
  { name: 'RTMR3', length: 48, steps: ['td/rtmr3'] },
  {
    name: 'REPORTDATA',
    length: 64,
    steps: ['binding/tls-key', 'binding/hpke-key'],
    note: 'holds the keys that requests are sealed to',
  },
  { name: 'TEE_TCB_SVN_2', length: 16, steps: ['td/tcb'] },
  { name: 'MRSERVICETD', length: 48, steps: ['td/configuration'] },
])

/** The report of the quoting enclave (A.3.10). The machine’s certified key signs all of it: `quote/qe-report`. */
export const qeReportFields = layOut([
  {
    name: 'CPUSVN',
    length: 16,
    steps: [],
    note: 'the certificate of the machine states the level that intel/tcb-level decides on',
  },
  { name: 'MISCSELECT', length: 4, steps: QE },
  { name: 'reserved', length: 28, steps: [], note: 'signed, and read by nothing' },
  { name: 'ATTRIBUTES', length: 16, steps: QE },
  {
    name: 'MRENCLAVE',
    length: 32,
    steps: [],
    note: 'changes with each version of the enclave; Intel names its signer',
  },
  { name: 'reserved', length: 32, steps: [], note: 'signed, and read by nothing' },
  { name: 'MRSIGNER', length: 32, steps: QE },
  { name: 'reserved', length: 96, steps: [], note: 'signed, and read by nothing' },
  { name: 'ISVPRODID', length: 2, steps: QE },
  { name: 'ISVSVN', length: 2, steps: ['intel/quoting-enclave-level'] },
  { name: 'reserved', length: 60, steps: [], note: 'signed, and read by nothing' },
  { name: 'REPORTDATA', length: 64, steps: ['quote/attestation-key'] },
])

/** The parts after the body (A.3.8, A.3.11), in order. Lengths vary, so they have no offsets here. */
export const signatureParts = [
  { name: 'length of the signature data', steps: LAYOUT },
  { name: 'signature of header and body', steps: ['quote/signature'] },
  { name: 'attestation key', steps: ['quote/signature', 'quote/attestation-key'] },
  { name: 'types and lengths of the certification data', steps: LAYOUT },
  { name: 'report of the quoting enclave', steps: ['quote/qe-report'] },
  { name: 'its signature', steps: ['quote/qe-report'] },
  { name: 'authentication data', steps: ['quote/attestation-key'] },
  {
    name: 'certificate chain of the machine',
    steps: ['pck/certificates', 'intel/root', 'intel/intermediate', 'pck/chain', 'pck/validity', 'pck/form'],
  },
  { name: 'bytes after the quote', steps: LAYOUT, note: 'only zeros' },
] as const
