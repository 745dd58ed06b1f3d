import type { ErrorEntry } from './error-entry.ts'

/** The vault, stored data and this computer. */
export const storageErrors = {
  'vault/locked': {
    status: 503,
    says: 'Sotto is locked.',
    remedy: 'Unlock Sotto in its window, or unlock the system keychain.',
  },
  'vault/cannot-lock': {
    status: 409,
    says: 'Sotto can’t be locked because nothing is saved. Locking would delete everything.',
    remedy: 'Protect Sotto with a passphrase or the system keychain first.',
  },
  'vault/wrong-passphrase': {
    status: 403,
    says: 'This passphrase doesn’t unlock the vault.',
    remedy: 'Try again. A lost passphrase can’t be recovered.',
  },
  'vault/damaged': {
    status: 503,
    says: 'The vault file is damaged. It wasn’t changed.',
    remedy: 'Restore it from a recovery copy, or replace it with a copy of the file.',
  },
  'vault/wrong-key': {
    status: 503,
    says: 'This key doesn’t open the shared vault. Nothing was changed.',
    remedy: 'Use the key that the vault was created with, or that it was last rotated to.',
  },
  'vault/key-unavailable': {
    status: 503,
    says: 'Couldn’t get the key of the shared vault.',
    remedy: 'Check the key file, or the command that prints the key: 32 bytes in base64.',
  },
  'vault/unavailable': {
    status: 503,
    says: 'The requested way to store secrets doesn’t work on this computer.',
    remedy: 'Unlock the system keychain, or set up Sotto with a passphrase.',
  },
  'vault/keychain-unusable': {
    status: 503,
    says: 'The system keychain didn’t accept Sotto’s key. Nothing was changed.',
    remedy: 'Unlock the keychain, and try again.',
  },
  'vault/recovery-invalid': {
    status: 400,
    says: 'This isn’t a vault recovery copy, or it was changed after saving. Nothing was changed.',
    remedy: 'Choose another copy of it.',
  },
  'vault/recovery-passphrase': {
    status: 400,
    says: 'This passphrase doesn’t unlock the recovery copy. Nothing was changed.',
    remedy: 'Enter the passphrase that the copy was saved with.',
  },
  'vault/passphrase-needed': {
    status: 503,
    says: 'Set a passphrase before anything can be saved.',
    remedy: 'Set one in the Sotto window.',
  },
  'store/damaged': {
    status: 503,
    says: 'The data folder can’t be read. It wasn’t changed.',
    remedy: 'Restore it from a backup.',
  },
  'store/unwritable': {
    status: 503,
    says: 'Sotto can’t write to the data folder.',
    remedy: 'Free up space. Check that the folder belongs to you and isn’t read-only.',
  },
  'store/schema-changed': {
    status: 503,
    says: 'Another program changed the structure of the database. Sotto left it unchanged.',
    remedy: 'Restore the data folder from a backup.',
  },
  'store/rows-changed': {
    status: 503,
    says: 'Saved records were changed outside Sotto. Private chats, local keys, and payments are off until you accept the records.',
    remedy: 'Open Sotto, check which records changed, and accept them.',
  },
  'store/newer-version': {
    status: 503,
    says: 'The data folder was created by a newer version of Sotto.',
    remedy: 'Install the newer version.',
  },
  'host/already-running': {
    status: 503,
    says: 'Another instance of Sotto is using this data folder.',
    remedy: 'Use the Sotto that is already running, or quit it first.',
  },
  'host/folder-foreign-owner': {
    status: 503,
    says: 'The data folder or a part of its path belongs to another user.',
    remedy: 'Start Sotto as the owner of the folder, or use a data folder of your own.',
  },
  'host/folder-writable-by-others': {
    status: 503,
    says: 'Other users can replace the data folder.',
    remedy: 'You can also use a data folder in a place that only you can change.',
  },
  'host/folder-not-private': {
    status: 503,
    says: 'Other users have access to the data folder.',
    remedy: 'You can also use a data folder for Sotto only, on a disk that supports Unix permissions.',
  },
  'host/folder-special-file': {
    status: 503,
    says: 'The data folder contains a link or a special file instead of one of Sotto’s files.',
    remedy: 'Move it to another place, then start Sotto again.',
  },
  'host/socket-unsafe': {
    status: 503,
    says: 'The file in place of Sotto’s socket isn’t a socket of yours. Nothing was sent to it.',
    remedy: 'Find out who created it. Then remove it and start Sotto again.',
  },
  'host/socket-path-too-long': {
    status: 503,
    says: 'The path of the data folder is too long for Sotto’s socket. There is no other private folder for the socket.',
    remedy: 'Use a data folder with a shorter path.',
  },
  'host/proxy-address': {
    status: 503,
    says: 'The address of the network proxy isn’t valid. Sotto won’t send anything without the proxy.',
    remedy: 'Correct the proxy address in your system’s environment, or remove it.',
  },
  'desktop/unavailable': {
    status: 404,
    says: 'This Sotto is running without a desktop.',
    remedy: 'Start the desktop app to change this.',
  },
  'desktop/setting-refused': {
    status: 503,
    says: 'The system didn’t accept this setting. It wasn’t changed.',
    remedy: 'Check your system’s settings for programs that start at login, and try again.',
  },
} as const satisfies Record<string, ErrorEntry>
