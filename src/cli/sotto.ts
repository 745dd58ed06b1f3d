#!/usr/bin/env -S node --disable-sigusr1
import { keepInspectorClosed } from '../host/inspector-guard.ts'
import { keepCompiledCode } from './compile-cache.ts'

/** The command as it is installed. */
keepInspectorClosed()
keepCompiledCode()
await import('./index.ts')
