import { constants } from 'node:os';

/** Offsets in the kernel's `struct seccomp_data`. */
const CALL_NUMBER = 0;
const ARCHITECTURE = 4;
const ARGUMENTS = 16;

const LOAD_WORD = 0x20;
const JUMP_IF_EQUAL = 0x15;
const JUMP_IF_GREATER = 0x25;
const AND = 0x54;
const RETURN = 0x06;

export const VERDICTS = {
  killProcess: 0x80000000,
  notify: 0x7fc00000,
  allow: 0x7fff0000,
  /** Fails the call with an error. */
  error: (errno: number) => 0x00050000 | errno,
} as const;

/** A condition on one argument, of which the low 32 bits are compared, as the kernel reads most of them. */
export type Test =
  | { readonly argument: number; readonly mask?: number; readonly is: number }
  | { readonly argument: number; readonly mask?: number; readonly isNot: number }
  /** Any of the 64 bits is set: the pointer is not null. */
  | { readonly argument: number; readonly isPointer: true };

/** The first rule for a call whose tests all match applies. */
export interface Rule {
  readonly call: number;
  readonly when?: readonly Test[];
  readonly verdict: number;
}

export interface FilterProgram {
  /** The only allowed architecture; a call of another one kills the process. */
  readonly auditArchitecture: number;
  /** Calls above it fail with ENOSYS, and so do those of the x32 ABI, which have a high bit set. */
  readonly lastCall: number;
  readonly rules: readonly Rule[];
}

interface Instruction {
  readonly code: number;
  readonly whenTrue: number;
  readonly whenFalse: number;
  readonly value: number;
}

const INSTRUCTION_BYTES = 8;

/** The filter in the kernel's format, an array of `struct sock_filter`. A call without a rule is allowed. */
export function assemble(program: FilterProgram): Uint8Array {
  const instructions = [
    load(ARCHITECTURE),
    jump(JUMP_IF_EQUAL, program.auditArchitecture, 1, 0),
    finish(VERDICTS.killProcess),
    load(CALL_NUMBER),
    jump(JUMP_IF_GREATER, program.lastCall, 0, 1),
    finish(VERDICTS.error(constants.errno.ENOSYS)),
    ...program.rules.flatMap((rule) => block(rule)),
    finish(VERDICTS.allow),
  ];
  return encode(instructions);
}

/** Ends with the call number loaded, as the next rule expects. */
function block(rule: Rule): Instruction[] {
  const tests = rule.when ?? [];
  if (tests.length === 0) return [jump(JUMP_IF_EQUAL, rule.call, 0, 1), finish(rule.verdict)];
  const body = [...tests.map((test) => instructionsOf(test)), [finish(rule.verdict)]];
  const length = body.flat().length;
  const placed: Instruction[] = [];
  for (const part of body) {
    const failed = length - placed.length - part.length;
    placed.push(...part.map((instruction) => aim(instruction, failed)));
  }
  return [jump(JUMP_IF_EQUAL, rule.call, 0, length + 1), ...placed, load(CALL_NUMBER)];
}

/** Placeholder for the jump distance of a failed test; set once the block is complete. */
const FAILED = -1;

function instructionsOf(test: Test): Instruction[] {
  const place = ARGUMENTS + 8 * test.argument;
  if ('isPointer' in test) {
    // If the low word is zero, the high word must not be.
    return [load(place), jump(JUMP_IF_EQUAL, 0, 0, 2), load(place + 4), jump(JUMP_IF_EQUAL, 0, FAILED, 0)];
  }
  const masked = test.mask === undefined ? [] : [{ code: AND, whenTrue: 0, whenFalse: 0, value: test.mask }];
  const compare =
    'is' in test ? jump(JUMP_IF_EQUAL, test.is, 0, FAILED) : jump(JUMP_IF_EQUAL, test.isNot, FAILED, 0);
  return [load(place), ...masked, compare];
}

/** A failing jump is always the last instruction of its part, so one distance fits the whole part. */
function aim(instruction: Instruction, distance: number): Instruction {
  const target = (jump: number) => (jump === FAILED ? distance : jump);
  return { ...instruction, whenTrue: target(instruction.whenTrue), whenFalse: target(instruction.whenFalse) };
}

function load(place: number): Instruction {
  return { code: LOAD_WORD, whenTrue: 0, whenFalse: 0, value: place };
}

function jump(code: number, value: number, whenTrue: number, whenFalse: number): Instruction {
  return { code, whenTrue, whenFalse, value };
}

function finish(verdict: number): Instruction {
  return { code: RETURN, whenTrue: 0, whenFalse: 0, value: verdict };
}

function encode(instructions: readonly Instruction[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(instructions.length * INSTRUCTION_BYTES));
  for (const [index, { code, whenTrue, whenFalse, value }] of instructions.entries()) {
    const at = index * INSTRUCTION_BYTES;
    if (whenTrue > 255 || whenFalse > 255) throw new Error('A jump of the filter is too long.');
    view.setUint16(at, code, true);
    view.setUint8(at + 2, whenTrue);
    view.setUint8(at + 3, whenFalse);
    view.setUint32(at + 4, value >>> 0, true);
  }
  return new Uint8Array(view.buffer);
}
