import { decodeGuestPolicy, decodePlatformInfo, parseReport } from '../../../src/core/attestation/sev-snp/index.ts'

/**
 * The suite's view of a report. It is not the layout of AMD's ABI, which the verifier reads and judges:
 * vector 200 has everything from committed_tcb on 8 bytes late (committed_tcb at 1E8h, versions at 1F0h and 1F4h, launch_tcb at 1F8h),
 * and where current_tcb is the little-endian number, reported_tcb, committed_tcb and launch_tcb are the bytes in the report's order.
 * `current_tcb_decoded` is of Milan's and Genoa's layout.
 */
export function bodyFields(bytes: Uint8Array): object {
  const report = parseReport(bytes)
  const raw = Buffer.from(bytes)
  const hex = (offset: number, length: number) => raw.toString('hex', offset, offset + length)
  const number = (value: bigint | number, digits: number) => value.toString(16).padStart(digits, '0')
  const bit = (position: number) => (report.guestPolicy >> BigInt(position) & 1n) === 1n
  const platformBit = (position: number) => (report.platformInfo >> BigInt(position) & 1n) === 1n
  const guest = decodeGuestPolicy(report.guestPolicy)
  const platform = decodePlatformInfo(report.platformInfo, 'Genoa')
  return {
    version: report.version,
    guest_svn: report.guestSvn,
    policy_hex: number(report.guestPolicy, 16),
    policy_decoded: {
      abi_minor: raw.readUInt8(0x08),
      abi_major: raw.readUInt8(0x09),
      smt: guest.smt,
      reserved_mbo: bit(17),
      migrate_ma: guest.migrateMa,
      debug: guest.debug,
      single_socket: guest.singleSocket,
      cxl_allow: guest.cxl,
      mem_aes_256_xts: bit(22),
      raplmsr_dis: bit(23),
      ciphertext_hiding_dram: bit(24),
    },
    family_id_hex: hex(0x10, 16),
    image_id_hex: hex(0x20, 16),
    vmpl: report.vmpl,
    signature_algo: report.signatureAlgorithm,
    current_tcb_hex: number(raw.readBigUInt64LE(0x38), 16),
    current_tcb_decoded: { bl_spl: raw.readUInt8(0x38), tee_spl: raw.readUInt8(0x39), snp_spl: raw.readUInt8(0x3e), ucode_spl: raw.readUInt8(0x3f) },
    platform_info_hex: number(report.platformInfo, 16),
    platform_info_decoded: { smt_en: platform.smt, tsme_en: platform.tsme, ecc_en: platform.ecc, rapl_dis: platformBit(3), ciphertext_hiding: platformBit(4) },
    signer_info_hex: number(report.signerInfo, 8),
    report_data_hex: hex(0x50, 64),
    measurement_hex: hex(0x90, 48),
    host_data_hex: hex(0xc0, 32),
    id_key_digest_hex: hex(0xe0, 48),
    author_key_digest_hex: hex(0x110, 48),
    report_id_hex: hex(0x140, 32),
    report_id_ma_hex: hex(0x160, 32),
    reported_tcb_hex: hex(0x180, 8),
    chip_id_hex: hex(0x1a0, 64),
    committed_tcb_hex: hex(0x1e8, 8),
    current_build: raw.readUInt8(0x1f0),
    current_minor: raw.readUInt8(0x1f1),
    current_major: raw.readUInt8(0x1f2),
    committed_build: raw.readUInt8(0x1f4),
    committed_minor: raw.readUInt8(0x1f5),
    committed_major: raw.readUInt8(0x1f6),
    launch_tcb_hex: hex(0x1f8, 8),
  }
}
