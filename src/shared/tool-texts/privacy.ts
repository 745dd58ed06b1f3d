import type { ErrorCode } from '../error-codes.ts'
import type { ToolText } from '../error-codes/error-entry.ts'

/** The texts for tools about verification, sealing and this computer. */
export const privacyTexts = {
  'privacy/plugins': {
    says: 'A tool that the service runs, such as web search, would send parts of a private prompt unencrypted to others.',
    remedy:
      'Remove "plugins", "web_search_options", "code_execution_options", and tools that the service runs, such as "web_search". Or use a model that is not private.',
  },
  'privacy/path': {
    says: 'Private models support chat only.',
    remedy: 'Use POST /v1/chat/completions, /v1/responses, or /v1/messages, or a model that is not private.',
  },
  'privacy/earlier-response': {
    says: 'The request continues a response that was sent more privately than this model allows. Nothing was sent.',
    remedy:
      'Use the model of the earlier response, or send a new conversation without "previous_response_id" and "item_reference".',
  },
  'privacy/revision': 'same',
  'privacy/summary': {
    says: 'This chat is private, so only a private model can summarize it. Nothing was sent.',
    remedy: 'Use a private model.',
  },
  'relay/unverified': {
    says: 'The service’s own enclave failed verification. Nothing was sent.',
    remedy: 'Retry later, or use a private model. "sotto service-enclave verify" prints the failed check.',
  },
  'relay/unreachable': {
    says: 'Sotto could not fetch the evidence of the service’s own enclave. Nothing was sent.',
    remedy: 'Retry later, or use a private model.',
  },
  'relay/unavailable': 'same',
  'relay/no-image-waiting': 'same',
  'relay/provenance-refused': 'same',
  'relay/too-large': 'same',
  'policy/missing': 'same',
  'policy/no-provider-floor': 'same',
  'policy/pins-exclude-all': {
    says: 'The pins in Sotto exclude everything that the policy of this service accepts, so nothing can be sealed.',
    remedy: 'Remove pins in Sotto.',
  },
  'attestation/failed': {
    says: 'The enclave failed verification. Nothing was sent.',
    remedy: 'Check which step failed in Sotto. Do not send confidential text to a public model instead.',
  },
  'attestation/unreachable': {
    says: 'The evidence of the enclave could not be fetched. Nothing was sent.',
    remedy: 'Check the network connection and retry.',
  },
  'attestation/evidence-too-large': 'same',
  'attestation/older-release': {
    says: 'The enclave runs an older release than one accepted before. Nothing was sent.',
    remedy: 'Wait for the current release, or accept the older one in Sotto.',
  },
  'attestation/release-not-approved': {
    says: 'The enclave runs a release that was not approved, and Sotto is set to require approval. Nothing was sent.',
    remedy: 'Review and approve the release in Sotto, then retry.',
  },
  'channel/crypto-unavailable': 'same',
  'channel/plaintext-response': 'same',
  'channel/key-rotated': 'same',
  'channel/tls-key-differs': 'same',
  'channel/response-invalid': 'same',
  'channel/response-truncated': {
    says: 'The reply of the enclave was cut off in transit.',
    remedy: 'Retry to get a complete one.',
  },
  'vault/locked': { says: 'Sotto is locked.', remedy: 'Unlock Sotto or the system keychain, then retry.' },
  'vault/cannot-lock': 'same',
  'vault/wrong-passphrase': 'same',
  'vault/damaged': 'same',
  'vault/wrong-key': 'same',
  'vault/key-unavailable': 'same',
  'vault/unavailable': {
    says: 'The requested vault does not work on this computer.',
    remedy: 'Set SOTTO_VAULT to one of "auto", "file", or "memory".',
  },
  'vault/keychain-unusable': 'same',
  'vault/recovery-invalid': 'same',
  'vault/recovery-passphrase': 'same',
  'vault/passphrase-needed': {
    says: 'A passphrase must be set before anything can be saved.',
    remedy: 'Set one in Sotto.',
  },
  'store/damaged': {
    says: 'The data folder cannot be read. It was not changed.',
    remedy: 'Restore it from a backup, or set SOTTO_DATA_DIR to another folder.',
  },
  'store/unwritable': 'same',
  'store/schema-changed': {
    says: 'Another program changed the structure of the database. Sotto left it unchanged.',
    remedy: 'Restore the data folder from a backup, or set SOTTO_DATA_DIR to another folder.',
  },
  'store/rows-changed': {
    says: 'Saved records were changed outside Sotto. Private chats, local keys, and payments are off until a person accepts the records.',
    remedy: 'Check in Sotto which records changed, and accept them.',
  },
  'store/newer-version': 'same',
  'host/already-running': {
    says: 'Another instance of Sotto is using this data folder.',
    remedy: 'Run "sotto open", or stop the other instance.',
  },
  'host/folder-foreign-owner': {
    says: 'The data folder or a part of its path belongs to another user.',
    remedy: 'Run Sotto as the owner of the folder, or set SOTTO_DATA_DIR to a folder of your own.',
  },
  'host/folder-writable-by-others': {
    says: 'Other users can replace the data folder.',
    remedy: 'You can also set SOTTO_DATA_DIR to a path that only you and root can change.',
  },
  'host/folder-not-private': {
    says: 'Other users have access to the data folder.',
    remedy:
      'You can also set SOTTO_DATA_DIR to a folder for Sotto only, on a file system that keeps Unix modes.',
  },
  'host/folder-special-file': 'same',
  'host/socket-unsafe': 'same',
  'host/socket-path-too-long': {
    says: 'The path of the data folder is too long for Sotto’s socket. There is no other private folder for it.',
    remedy:
      'Set SOTTO_DATA_DIR to a shorter path, or XDG_RUNTIME_DIR to a folder of mode 700 that belongs to you.',
  },
  'host/proxy-address': {
    says: 'HTTPS_PROXY or ALL_PROXY is not a valid proxy address. Sotto sends nothing without the proxy.',
    remedy:
      'Set it to an address such as http://proxy.example:3128 or socks5h://127.0.0.1:9050, or remove it.',
  },
} as const satisfies Partial<Record<ErrorCode, ToolText>>
