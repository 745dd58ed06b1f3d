import type { ErrorEntry } from './error-entry.ts'

/** Receipts, proofs and releases of Sotto. */
export const releaseErrors = {
  'receipt/unknown': {
    status: 404,
    says: 'Receipt not found.',
    remedy: 'It may have been deleted.',
  },
  'proof/missing': {
    status: 404,
    says: 'There’s no evidence to save.',
    remedy: 'Verify the enclave first.',
  },
  'proof/too-large': {
    status: 413,
    says: 'The file is too large to be an evidence file.',
    remedy: 'Choose a file saved by Sotto, or an evidence bundle exactly as the service sent it.',
  },
  'proof/malformed': {
    status: 400,
    says: 'The evidence file has an invalid format.',
    remedy: 'Save it again. It may have been changed in transit.',
  },
  'proof/unsupported-version': {
    status: 400,
    says: 'The evidence file uses a different format version.',
    remedy: 'Check it with the version of Sotto that created it, or a newer one.',
  },
  'proof/unreadable': {
    status: 404,
    says: 'The file can’t be read.',
    remedy: 'Check its name and your permission to read it.',
  },
  'proof/unwritable': {
    status: 409,
    says: 'The evidence couldn’t be saved to that file.',
    remedy: 'Enter a new file name in a folder that you can write to.',
  },
  'verify/argument': {
    status: 400,
    says: 'The command’s arguments aren’t valid.',
    remedy: 'Check the arguments and try again.',
  },
  'release/file-unreadable': {
    status: 404,
    says: 'The downloaded file can’t be read.',
    remedy: 'Check its name and your permission to read it.',
  },
  'release/bundle-missing': {
    status: 404,
    says: 'There’s no attestation next to the file.',
    remedy: 'Also download the file’s “.sigstore.json” from the same release.',
  },
  'release/bundle-unreadable': {
    status: 400,
    says: 'The attestation can’t be read. It isn’t JSON, or it’s larger than 8 MiB.',
    remedy: 'Download it again from the release page.',
  },
  'release/identity-unknown': {
    status: 409,
    says: 'This build of Sotto doesn’t specify its release repository, so it can’t verify release files.',
    remedy: 'Use a released version of Sotto to check the next one.',
  },
  'release/other-tag': {
    status: 409,
    says: 'The file is a genuine release, but its tag isn’t the one you requested.',
    remedy: 'Don’t use it in place of the release you wanted. Download that release again.',
  },
  'update/none': {
    status: 409,
    says: 'This version of Sotto doesn’t check for updates.',
    remedy: 'Get a new version from where you got this one, and check it with “sotto verify-release”.',
  },
  'update/off': {
    status: 409,
    says: 'Update checks are turned off.',
    remedy: 'Turn them on in Settings, and check again.',
  },
  'update/unreachable': {
    status: 502,
    says: 'The update server didn’t respond.',
    remedy: 'Check your connection and try again later. This version keeps working.',
  },
  'update/feed-unreadable': {
    status: 502,
    says: 'The update announcement can’t be read, so nothing was downloaded.',
    remedy: 'Try again later. This version keeps working.',
  },
  'update/download-failed': {
    status: 502,
    says: 'The new version couldn’t be downloaded completely.',
    remedy: 'Try again later. This version keeps working.',
  },
  'update/refused': {
    status: 409,
    says: 'The downloaded file couldn’t be verified as the announced release. It wasn’t installed.',
    remedy:
      'Don’t install it manually either. Sotto is unchanged. If this happens again, contact the maintainers.',
  },
  'update/not-ready': {
    status: 409,
    says: 'There’s no verified update to install.',
    remedy: 'Check for updates first.',
  },
  'update/not-installed': {
    status: 503,
    says: 'The new version was verified, but the system didn’t install it. Sotto is unchanged.',
    remedy:
      'Try again. Or download it from the release page, and check it with “sotto verify-release” before installing.',
  },
} as const satisfies Record<string, ErrorEntry>
