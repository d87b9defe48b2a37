import { expect, it } from 'vitest';
import { onBothDatabases } from './fixture.ts';

onBothDatabases((fixture) => {
  it('keeps settings of any JSON', async () => {
    const { settings } = fixture.database;
    expect(await settings.get('theme')).toBeUndefined();
    for (const value of ['dark', 'true', null, 0, { nested: ['a', 1] }]) {
      await settings.set('theme', value);
      expect(await settings.get('theme')).toEqual(value);
    }
    await settings.set('confirmArchive', false);
    expect(await settings.all()).toEqual({ theme: { nested: ['a', 1] }, confirmArchive: false });
    await settings.remove('theme');
    expect(await settings.all()).toEqual({ confirmArchive: false });
  });

  it('[S76] keeps overrides of toggles', async () => {
    const { features } = fixture.database;
    expect(await features.overrides()).toEqual({});
    await features.set('features.reportedBackgroundWork', true);
    await features.set('features.reportedBackgroundWork', false);
    expect(await features.overrides()).toEqual({ 'features.reportedBackgroundWork': false });
    await features.remove('features.reportedBackgroundWork');
    expect(await features.overrides()).toEqual({});
  });

  it('finds a user by the hash of a token', async () => {
    const { users } = fixture.database;
    const ada = await users.create({ id: 'u1', name: 'Ada' });
    const token = await users.addToken({ id: 't1', userId: 'u1', label: 'laptop', hash: 'h1' });
    expect(await users.findByTokenHash('h1')).toEqual(ada);
    expect(await users.findByTokenHash('h2')).toBeNull();
    expect(await users.listTokens('u1')).toEqual([token]);
    expect(JSON.stringify(token)).not.toContain('h1');
    const stolen = users.addToken({ id: 't2', userId: 'u1', label: 'x', hash: 'h1' });
    await expect(stolen).rejects.toMatchObject({ code: 'already_exists' });
    expect(await users.removeToken('t1')).toBe(true);
    expect(await users.findByTokenHash('h1')).toBeNull();
    await users.addToken({ id: 't3', userId: 'u1', label: 'x', hash: 'h3' });
    expect(await users.delete('u1')).toBe(true);
    expect(await users.findByTokenHash('h3')).toBeNull();
    expect(await users.list()).toEqual([]);
  });
});
