import { decodeTcb, type SevReport } from '../../../src/verifier/sev-snp/index.ts'
import type { SevProduct } from '../../../src/shared/policy/sev-snp.ts'

/**
 * The report's fields in the suite's format, which differs from the layout of the ABI. Policy, platform and
 * current TCB are numbers, most significant byte first; the other TCBs are the unchanged bytes. From the
 * committed TCB on, the suite's vectors read 8 bytes too far. Their committed_tcb is the firmware versions at
 * 0x1e8, their versions are the launch TCB at 0x1f0, and their launch TCB is the next field.
 */
export function bodyFields(report: SevReport, product: SevProduct): object {
  const { bytes, guestPolicy, platformInfo } = report
  const policyBit = (number: number) => ((guestPolicy >> BigInt(number)) & 1n) === 1n
  const platformBit = (number: number) => ((platformInfo >> BigInt(number)) & 1n) === 1n
  const tcb = decodeTcb(report.currentTcb, product)
  return {
    version: report.version,
    guest_svn: report.guestSvn,
    policy_hex: number64(guestPolicy),
    policy_decoded: {
      abi_minor: bytes[0x08],
      abi_major: bytes[0x09],
      smt: policyBit(16),
      reserved_mbo: policyBit(17),
      migrate_ma: policyBit(18),
      debug: policyBit(19),
      single_socket: policyBit(20),
      cxl_allow: policyBit(21),
      mem_aes_256_xts: policyBit(22),
      raplmsr_dis: policyBit(23),
      ciphertext_hiding_dram: policyBit(24),
    },
    family_id_hex: hex(report.familyId),
    image_id_hex: hex(report.imageId),
    vmpl: report.vmpl,
    signature_algo: report.signatureAlgorithm,
    current_tcb_hex: hex(report.currentTcb.toReversed()),
    ...(tcb && {
      current_tcb_decoded: {
        bl_spl: tcb.bootloader,
        tee_spl: tcb.tee,
        snp_spl: tcb.snp,
        ucode_spl: tcb.microcode,
      },
    }),
    platform_info_hex: number64(platformInfo),
    platform_info_decoded: {
      smt_en: platformBit(0),
      tsme_en: platformBit(1),
      ecc_en: platformBit(2),
      rapl_dis: platformBit(3),
      ciphertext_hiding: platformBit(4),
    },
    signer_info_hex: report.signerInfo.toString(16).padStart(8, '0'),
    report_data_hex: hex(report.reportData),
    measurement_hex: hex(report.measurement),
    host_data_hex: hex(report.hostData),
    id_key_digest_hex: hex(report.idKeyDigest),
    author_key_digest_hex: hex(report.authorKeyDigest),
    report_id_hex: hex(report.reportId),
    report_id_ma_hex: hex(report.reportIdMa),
    reported_tcb_hex: hex(report.reportedTcb),
    chip_id_hex: hex(report.chipId),
    committed_tcb_hex: hex(bytes.subarray(0x1e8, 0x1f0)),
    current_build: bytes[0x1f0],
    current_minor: bytes[0x1f1],
    current_major: bytes[0x1f2],
    committed_build: bytes[0x1f4],
    committed_minor: bytes[0x1f5],
    committed_major: bytes[0x1f6],
    launch_tcb_hex: hex(bytes.subarray(0x1f8, 0x200)),
  }
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const number64 = (value: bigint) => value.toString(16).padStart(16, '0')
