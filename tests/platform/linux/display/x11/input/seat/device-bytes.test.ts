import { describe, expect, it } from 'vitest';
import {
  decodeFocus,
  decodeFreeze,
  decodePointerChild,
  encodeAddMaster,
  encodeChangeCursor,
  encodeFreeze,
  encodeGetFocus,
  encodeQueryPointer,
  encodeRemoveMaster,
  encodeSetClientPointer,
  encodeSetFocus,
  encodeThaw,
  encodeWarpPointer,
} from '../../../../../../../src/platform/linux/display/x11/input/seat/device-bytes.ts';
import {
  mastersOfUser,
  seatName,
  seatsAmong,
} from '../../../../../../../src/platform/linux/display/x11/input/seat/seat-name.ts';

const OPCODE = 131;
const hex = (bytes: Buffer): string => bytes.toString('hex');

/** As XI2proto.h lays them out, field by field. */
describe('requests of the X Input Extension', () => {
  it.each([
    ['XIAddMaster "ab"', encodeAddMaster(OPCODE, 'ab'), '832b0500 01000000 01000300 02000101 61620000'],
    ['XIAddMaster "abcd"', encodeAddMaster(OPCODE, 'abcd'), '832b0500 01000000 01000300 04000101 61626364'],
    [
      'XIRemoveMaster',
      encodeRemoveMaster(OPCODE, 10, { pointer: 2, keyboard: 3 }),
      '832b0500 01000000 02000300 0a000100 02000300',
    ],
    ['XISetClientPointer', encodeSetClientPointer(OPCODE, 10), '832c0300 00000000 0a000000'],
    ['XISetFocus', encodeSetFocus(OPCODE, 11, 0x1400003), '83310400 03004001 00000000 0b000000'],
    ['XIGetFocus', encodeGetFocus(OPCODE, 3), '83320200 03000000'],
    [
      'XIGrabDevice, synchronous',
      encodeFreeze(OPCODE, 3, 0x2a),
      '83330600 2a000000 00000000 00000000 03000001 00000000',
    ],
    ['XIUngrabDevice', encodeThaw(OPCODE, 3), '83340300 00000000 03000000'],
    [
      'XIWarpPointer',
      encodeWarpPointer(OPCODE, 10, { window: 0x2a, x: 300, y: 32_767 }),
      '83290900 00000000 2a000000 00000000 00000000 00000000 00002c01 0000ff7f 0a000000',
    ],
    [
      'XIChangeCursor',
      encodeChangeCursor(OPCODE, 10, 0x2a, 0x1400005),
      '832a0400 2a000000 05004001 0a000000',
    ],
    ['XIQueryPointer', encodeQueryPointer(OPCODE, 2, 0x2a), '83280300 2a000000 02000000'],
  ])('%s', (_name, bytes, expected) => {
    expect(hex(bytes)).toBe(expected.replaceAll(' ', ''));
    expect(bytes.readUInt16LE(2) * 4).toBe(bytes.length);
  });

  it('reads replies from their ninth byte', () => {
    const reply = Buffer.alloc(48);
    reply.writeUInt32LE(0x1400003, 4);
    expect(decodePointerChild(reply)).toBe(0x1400003);
    expect(decodeFocus(Buffer.from('0300400100000000', 'hex'))).toBe(0x1400003);
    expect(decodeFreeze(Buffer.alloc(24))).toBe(true);
    // AlreadyGrabbed, Frozen
    for (const status of [1, 4]) expect(decodeFreeze(Buffer.alloc(24, status))).toBe(false);
  });
});

describe('the name of a seat', () => {
  const device = (deviceId: number, use: number, attachment: number, name: string) => ({
    deviceId,
    use,
    attachment,
    name,
  });
  const core = [device(2, 1, 3, 'Virtual core pointer'), device(3, 2, 2, 'Virtual core keyboard')];
  const ours = [
    device(10, 1, 11, `${seatName(0x1400001)} pointer`),
    device(11, 2, 10, `${seatName(0x1400001)} keyboard`),
  ];
  const second = [device(20, 1, 21, 'left hand pointer'), device(21, 2, 20, 'left hand keyboard')];

  it('tells whose it is', () => {
    expect(seatName(0x1400001)).toBe('Deskterity (1400001)');
    expect(seatsAmong([...core, ...ours, ...second])).toEqual([
      { name: 'Deskterity (1400001)', pointer: 10, keyboard: 11 },
    ]);
  });

  it('leaves all other masters to the user', () => {
    expect(mastersOfUser([...core, ...ours, ...second])).toEqual([2, 3, 20, 21]);
  });

  it('does not take the devices of the user for a seat, whatever they are called', () => {
    const renamed = [device(2, 1, 3, 'Deskterity (1) pointer'), device(12, 1, 13, 'Deskterity (x) pointer')];
    expect(seatsAmong(renamed)).toEqual([]);
  });
});
