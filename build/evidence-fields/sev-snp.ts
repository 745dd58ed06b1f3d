import { layOut } from './field.ts'

const LAYOUT = ['report/layout']

/** Every byte of an SEV-SNP report (AMD 56860, table "ATTESTATION_REPORT Structure", version 5). */
export const reportFields = layOut([
  { name: 'VERSION', length: 4, steps: LAYOUT },
  { name: 'GUEST_SVN', length: 4, steps: ['report/identity'] },
  { name: 'POLICY', length: 8, steps: ['report/debug', 'report/migration', 'report/guest-policy'] },
  { name: 'FAMILY_ID', length: 16, steps: ['report/identity'] },
  { name: 'IMAGE_ID', length: 16, steps: ['report/identity'] },
  { name: 'VMPL', length: 4, steps: ['report/vmpl'] },
  { name: 'SIGNATURE_ALGO', length: 4, steps: LAYOUT },
  { name: 'CURRENT_TCB', length: 8, steps: ['report/tcb', 'report/committed-firmware'] },
  { name: 'PLATFORM_INFO', length: 8, steps: ['report/platform'] },
  {
    name: 'AUTHOR_KEY_EN, MASK_CHIP_KEY, SIGNING_KEY',
    length: 4,
    steps: ['report/signer', 'report/identity', 'vcek/chip'],
  },
  { name: 'reserved', length: 4, steps: LAYOUT },
  {
    name: 'REPORT_DATA',
    length: 64,
    steps: ['binding/tls-key', 'binding/hpke-key'],
    note: 'holds the keys that requests are sealed to',
  },
  { name: 'MEASUREMENT', length: 48, steps: ['measurement/match', 'measurement/pinned'] },
  { name: 'HOST_DATA', length: 32, steps: ['report/identity'] },
  { name: 'ID_KEY_DIGEST', length: 48, steps: ['report/identity'] },
  { name: 'AUTHOR_KEY_DIGEST', length: 48, steps: ['report/identity'] },
  { name: 'REPORT_ID', length: 32, steps: [], note: 'a random number of this launch' },
  {
    name: 'REPORT_ID_MA',
    length: 32,
    steps: [],
    note: 'names a migration agent, which report/migration refuses',
  },
  { name: 'REPORTED_TCB', length: 8, steps: ['vcek/tcb', 'report/tcb'] },
  { name: 'CPUID_FAM_ID, CPUID_MOD_ID, CPUID_STEP', length: 3, steps: ['vcek/chip'] },
  { name: 'reserved', length: 21, steps: LAYOUT },
  { name: 'CHIP_ID', length: 64, steps: ['vcek/chip'] },
  { name: 'COMMITTED_TCB', length: 8, steps: ['report/tcb', 'report/committed-firmware'] },
  {
    name: 'CURRENT_BUILD, CURRENT_MINOR, CURRENT_MAJOR',
    length: 3,
    steps: ['report/committed-firmware', 'report/firmware-version'],
  },
  { name: 'reserved', length: 1, steps: LAYOUT },
  {
    name: 'COMMITTED_BUILD, COMMITTED_MINOR, COMMITTED_MAJOR',
    length: 3,
    steps: ['report/committed-firmware', 'report/firmware-version'],
  },
  { name: 'reserved', length: 1, steps: LAYOUT },
  { name: 'LAUNCH_TCB', length: 8, steps: ['report/tcb'] },
  {
    name: 'LAUNCH_MIT_VECTOR',
    length: 8,
    steps: ['report/firmware-version'],
    note: 'reserved before version 5',
  },
  {
    name: 'CURRENT_MIT_VECTOR',
    length: 8,
    steps: ['report/firmware-version'],
    note: 'reserved before version 5',
  },
  { name: 'reserved', length: 152, steps: LAYOUT },
  { name: 'SIGNATURE', length: 512, steps: ['report/signature'] },
])
