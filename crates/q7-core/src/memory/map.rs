//! The memory map: named regions.

use serde::Deserialize;

/// What backs a region.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Backing {
    /// Host memory, zero until written, except for a repeated 32-bit fill pattern.
    Ram {
        /// Little-endian word repeated over the region before anything is loaded; 0 for none.
        fill: u32,
    },
    /// The bytes of another region, from its start.
    Alias {
        /// Name of that region.
        of: String,
    },
}

/// One region of the address space.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// Name, shown in reports.
    pub name: String,
    /// First byte.
    pub base: u32,
    /// Size in bytes; base and size are multiples of 4096.
    pub size: u64,
    /// May be read.
    pub read: bool,
    /// May be written.
    pub write: bool,
    /// May be executed.
    pub execute: bool,
    /// What backs it.
    pub backing: Backing,
}

impl Region {
    /// Read-write-execute RAM.
    pub fn ram(name: &str, base: u32, size: u64) -> Region {
        Region {
            name: name.into(),
            base,
            size,
            read: true,
            write: true,
            execute: true,
            backing: Backing::Ram { fill: 0 },
        }
    }

    /// True if `length` bytes from `address` lie inside.
    pub fn contains(&self, address: u32, length: u64) -> bool {
        address >= self.base && u64::from(address - self.base).saturating_add(length) <= self.size
    }

    /// Address after the last byte.
    pub fn end(&self) -> u64 {
        u64::from(self.base) + self.size
    }
}

/// A list of regions that do not overlap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryMap {
    /// Regions, by ascending base.
    pub regions: Vec<Region>,
}

/// Regions and alias regions are made of pages of this size.
pub const PAGE_SIZE: u32 = 4096;

/// Why a memory map cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MapError {
    /// The TOML text is malformed or has unknown keys.
    #[error("{0}")]
    Syntax(String),
    /// A region is empty, not page aligned, or passes the end of the address space.
    #[error(
        "region {name}: base {base:#x} and size {size:#x} must be non-zero pages of 4096 bytes below 4 GiB"
    )]
    Shape {
        /// Region name.
        name: String,
        /// First byte.
        base: u32,
        /// Size in bytes.
        size: u64,
    },
    /// Two regions share an address.
    #[error("regions {first} and {second} overlap at {address:#x}")]
    Overlap {
        /// Region with the lower base.
        first: String,
        /// The other.
        second: String,
        /// First shared byte.
        address: u32,
    },
    /// Two regions have one name.
    #[error("two regions are named {0}")]
    Duplicate(String),
    /// An alias names no RAM region that is large enough.
    #[error("region {name}: alias of {of}, which is not a RAM region of at least {size:#x} bytes")]
    Alias {
        /// Region name.
        name: String,
        /// Name it refers to.
        of: String,
        /// Size in bytes that the alias needs.
        size: u64,
    },
    /// The host refused the memory.
    #[error("region {name}: the host gave no memory for {size:#x} bytes: {reason}")]
    Host {
        /// Region name.
        name: String,
        /// Size in bytes.
        size: u64,
        /// The host's reason.
        reason: String,
    },
}

impl Default for MemoryMap {
    /// The vendor simulator's view (`microarchitecture/extra-memory-map.csv`; DECISIONS, Memory):
    /// fill patterns stand in the local memories before anything is loaded.
    fn default() -> MemoryMap {
        let filled = |name: &str, base, size, fill| Region {
            backing: Backing::Ram { fill },
            ..Region::ram(name, base, size)
        };
        MemoryMap {
            regions: vec![
                filled("iram", 0, 0x1_0000, 0x6c6c_b6b6),
                filled("dataram", 0x8_0000, 0x1_0000, 0x0123_4567),
                Region::ram("sysram", 0x10_0000, 0x4000_0000),
                Region::ram("sbuf", 0x8000_0000, 0x400_0000),
                Region::ram("hbm_scratch", 0x8400_0000, 0x400_0000),
                Region::ram("simio", 0xc000_0000, 0x2000_0000),
            ],
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MapFile {
    /// Start from the default map instead of an empty one.
    #[serde(default)]
    extend_default: bool,
    #[serde(default)]
    region: Vec<RegionFile>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RegionFile {
    name: String,
    base: u32,
    size: u64,
    #[serde(default = "all_permissions")]
    permissions: String,
    #[serde(default)]
    fill: u32,
    alias: Option<String>,
}

fn all_permissions() -> String {
    "rwx".into()
}

impl MemoryMap {
    /// Parses a TOML memory map: `extend_default = true` and `[[region]]` tables with `name`, `base`,
    /// `size`, `permissions` (letters of `rwx`), `fill`, `alias`. A region named like a default one
    /// replaces it.
    ///
    /// # Errors
    /// [`MapError`] if the text is malformed or the map is not usable.
    pub fn from_toml(text: &str) -> Result<MemoryMap, MapError> {
        let file: MapFile = toml::from_str(text).map_err(|error| MapError::Syntax(error.to_string()))?;
        let mut map =
            if file.extend_default { MemoryMap::default() } else { MemoryMap { regions: Vec::new() } };
        let given: Vec<String> = file.region.iter().map(|region| region.name.clone()).collect();
        map.regions.retain(|region| !given.contains(&region.name));
        for region in file.region {
            if let Some(other) = region.permissions.chars().find(|letter| !"rwx".contains(*letter)) {
                let reason = format!("region {}: permission {other:?} is not one of r, w, x", region.name);
                return Err(MapError::Syntax(reason));
            }
            if region.alias.is_some() && region.fill != 0 {
                let reason = format!("region {}: an alias has no fill of its own", region.name);
                return Err(MapError::Syntax(reason));
            }
            map.regions.push(Region {
                read: region.permissions.contains('r'),
                write: region.permissions.contains('w'),
                execute: region.permissions.contains('x'),
                backing: match region.alias {
                    Some(of) => Backing::Alias { of },
                    None => Backing::Ram { fill: region.fill },
                },
                name: region.name,
                base: region.base,
                size: region.size,
            });
        }
        map.regions.sort_by_key(|region| region.base);
        map.check()?;
        Ok(map)
    }

    /// Checks shapes, overlaps and aliases.
    ///
    /// # Errors
    /// [`MapError`] says which region is wrong.
    pub fn check(&self) -> Result<(), MapError> {
        for region in &self.regions {
            let page = u64::from(PAGE_SIZE);
            if region.size == 0
                || region.size % page != 0
                || u64::from(region.base) % page != 0
                || region.end() > 1 << 32
            {
                let (name, base, size) = (region.name.clone(), region.base, region.size);
                return Err(MapError::Shape { name, base, size });
            }
            if self.regions.iter().filter(|other| other.name == region.name).count() > 1 {
                return Err(MapError::Duplicate(region.name.clone()));
            }
            if let Backing::Alias { of } = &region.backing {
                let fits = self.regions.iter().any(|other| {
                    other.name == *of
                        && matches!(other.backing, Backing::Ram { .. })
                        && other.size >= region.size
                });
                if !fits {
                    let (name, of, size) = (region.name.clone(), of.clone(), region.size);
                    return Err(MapError::Alias { name, of, size });
                }
            }
        }
        for pair in self.regions.windows(2) {
            if pair[0].end() > u64::from(pair[1].base) {
                let (first, second) = (pair[0].name.clone(), pair[1].name.clone());
                return Err(MapError::Overlap { first, second, address: pair[1].base });
            }
        }
        Ok(())
    }

    /// The region that holds `address`.
    pub fn region_at(&self, address: u32) -> Option<&Region> {
        self.regions.iter().find(|region| region.contains(address, 1))
    }

    /// True if all bytes lie in regions (which may adjoin).
    pub fn covers(&self, start: u32, length: u64) -> bool {
        let (mut address, end) = (u64::from(start), u64::from(start).saturating_add(length));
        while address < end {
            match u32::try_from(address).ok().and_then(|address| self.region_at(address)) {
                Some(region) => address = region.end(),
                None => return false,
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_map_is_sound() {
        let map = MemoryMap::default();
        map.check().unwrap();
        assert_eq!(map.region_at(0x9_0000), None);
        assert_eq!(map.region_at(0x4010_0000), None);
        assert!(map.covers(0x10_0000, 0x4000_0000));
        assert!(!map.covers(0xffff_fff0, 0x20));
        assert!(!map.covers(0x10_0000, u64::MAX));
    }

    #[test]
    fn bad_maps_say_why() {
        for (text, part) in [
            ("[[region]]\nname='a'\nbase=1\nsize=4096", "pages"),
            ("[[region]]\nname='a'\nbase=0\nsize=0", "pages"),
            ("[[region]]\nname='a'\nbase=0xfffff000\nsize=8192", "below 4 GiB"),
            (
                "[[region]]\nname='a'\nbase=0\nsize=8192\n[[region]]\nname='b'\nbase=4096\nsize=4096",
                "overlap",
            ),
            ("[[region]]\nname='a'\nbase=0\nsize=4096\nalias='x'", "alias"),
            ("[[region]]\nname='a'\nbase=0\nsize=4096\npermissions='rq'", "permission"),
            ("[[region]]\nname='a'\nbase=0\nsize=4096\n[[region]]\nname='a'\nbase=8192\nsize=4096", "named"),
            ("[[region]]\nname='a'\nbase=0\nsize=4096\nalias='b'\nfill=1", "no fill"),
            ("colour = 1", "unknown field"),
        ] {
            let error = MemoryMap::from_toml(text).unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn a_file_can_extend_the_default() {
        let text = "extend_default = true\n[[region]]\nname='ram_bypass'\nbase=0xa0000000\nsize=0x20000000\nalias='sysram'";
        let map = MemoryMap::from_toml(text).unwrap();
        assert_eq!(map.region_at(0xa000_0000).unwrap().name, "ram_bypass");
        assert_eq!(map.regions.len(), 7);
    }
}
