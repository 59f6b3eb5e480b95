//! From files to what ships: values into [`crate::spec`], everything else into [`crate::provenance`].

use crate::provenance::{
    ApiPrice, Electricity, KeyId, Library, MachinePrice, Measured, Offer, Provenance, Rental,
    SourceId, StreetPrice, Tier,
};
use crate::record::device::{ComputeEntry, DeviceEntry};
use crate::record::price::{ApiPriceEntry, ElectricityEntry, RentalEntry};
use crate::record::{Sources, checked_sources};
use crate::spec::{Compute, DeviceRecord, Estimate, Memory, MemoryOption, PowerSpec, Rate, Usable};
use catalog::figure::Sourced;
use catalog::{Source, SourceIds};
use std::collections::BTreeMap;

/// The values of a device file.
#[must_use]
pub fn device_record(id: &str, entry: &DeviceEntry) -> DeviceRecord {
    let memory = &entry.memory;
    let mut sizes = memory
        .sizes
        .figure()
        .map(|figure| figure.value.clone())
        .unwrap_or_default();
    sizes.sort_by(|a, b| a.bytes().total_cmp(&b.bytes()));
    let cores = entry.cores.clone().unwrap_or_default();
    let link = entry.link.clone().unwrap_or_default();
    let cache = entry.cache.clone().unwrap_or_default();
    let power = entry.power.clone().unwrap_or_default();
    let usable = entry.usable.clone().unwrap_or_default();
    let mut points: Vec<_> = power
        .points
        .iter()
        .map(|point| (point.limit, point.boost))
        .collect();
    points.sort_by(|a, b| a.0.watts().total_cmp(&b.0.watts()));
    let limits = |list: &[crate::record::device::LimitEntry]| {
        list.iter().map(|limit| (limit.size, limit.limit)).collect()
    };
    DeviceRecord {
        id: id.to_owned(),
        name: entry.name.clone(),
        aliases: entry.aliases.clone(),
        preferred: entry.preferred,
        vendor: entry.vendor,
        kind: entry.kind,
        architecture: entry.architecture.clone(),
        released: entry.released.as_ref().map(|figure| figure.value),
        memory: Memory {
            kind: memory.kind.clone(),
            sizes,
            reported: memory.reported.as_ref().map(|figure| figure.value),
            largest: memory.largest.as_ref().map(|figure| figure.value),
            bus_width: memory.bus_width.as_ref().map(|figure| figure.value),
            data_rate: memory.data_rate.as_ref().map(|figure| figure.value),
            bandwidth: memory.bandwidth.value(),
            quoted_bandwidth: memory.quoted_bandwidth.as_ref().map(|figure| figure.value),
            channels: memory.channels.as_ref().map(|figure| figure.value),
            module_speed: memory.module_speed.as_ref().map(|figure| figure.value),
            options: memory
                .options
                .iter()
                .map(|option| MemoryOption {
                    name: option.name.clone(),
                    bandwidth: option.bandwidth.value,
                })
                .collect(),
            on_package: memory
                .on_package
                .as_ref()
                .map(|part| (part.kind.clone(), part.capacity.value)),
        },
        compute: compute(&entry.compute),
        estimate: entry.estimate.as_ref().map(|estimate| Estimate {
            basis: estimate.basis.clone(),
            compute: Compute(
                [
                    (Rate::Fp32, estimate.fp32),
                    (Rate::Fp16, estimate.fp16),
                    (Rate::Fp8, estimate.fp8),
                    (Rate::Fp4, estimate.fp4),
                    (Rate::Int8, estimate.int8),
                ]
                .into_iter()
                .filter_map(|(rate, peak)| peak.map(|peak| (rate, peak)))
                .collect(),
            ),
            bandwidth: estimate.bandwidth,
        }),
        power: PowerSpec {
            board: power.board.map(|figure| figure.value),
            range: power.range.map(|figure| figure.value),
            points,
            estimate: power.estimate.map(|figure| figure.value),
        },
        pcie: link.pcie.map(|figure| figure.value),
        nvlink: link.nvlink.map(|figure| figure.value),
        l2: cache.l2.map(|figure| figure.value),
        last_level_cache: cache.last_level.map(|figure| figure.value),
        cpu_cores: cores.cpu.map(|figure| figure.value).unwrap_or_default(),
        gpu_cores: cores.gpu.map(|figure| figure.value),
        isa: cores.isa.map(|figure| figure.value).unwrap_or_default(),
        usable: Usable {
            apple: usable
                .apple
                .iter()
                .map(|row| (row.size, row.recent, row.older))
                .collect(),
            windows: limits(&usable.windows),
            linux: limits(&usable.linux),
            any: limits(&usable.any),
        },
    }
}

fn compute(entry: &ComputeEntry) -> Compute {
    let rates = entry
        .figures()
        .filter_map(|(key, figure)| Rate::from_key(key).map(|rate| (rate, figure.value)));
    Compute(rates.collect())
}

/// Collects the library; sources and paths are stored once.
#[derive(Debug, Default)]
pub struct Builder {
    library: Library,
    source_ids: BTreeMap<Source, SourceId>,
    key_ids: BTreeMap<String, KeyId>,
}

/// A file whose sources can't be embedded.
pub type EmbedError = String;

/// The sources of one file by the id used in it.
struct Local(BTreeMap<String, SourceId>);

impl Local {
    fn ids(&self, ids: &SourceIds) -> Result<Vec<SourceId>, EmbedError> {
        ids.iter()
            .map(|id| {
                self.0
                    .get(id)
                    .copied()
                    .ok_or_else(|| format!("source `{id}` is not declared"))
            })
            .collect()
    }
}

impl Builder {
    /// The finished library.
    #[must_use]
    pub fn finish(self) -> Library {
        self.library
    }

    fn local(&mut self, sources: &Sources) -> Result<Local, EmbedError> {
        let checked =
            checked_sources(sources).map_err(|(id, error)| format!("sources.{id}: {error}"))?;
        let mut local = BTreeMap::new();
        for (id, source) in checked {
            let next = self.source_ids.len();
            let global = match self.source_ids.get(&source) {
                Some(known) => *known,
                None => {
                    let fresh =
                        SourceId(u16::try_from(next).map_err(|_| "too many sources".to_owned())?);
                    self.library.sources.push(source.clone());
                    self.source_ids.insert(source, fresh);
                    fresh
                }
            };
            local.insert(id, global);
        }
        Ok(Local(local))
    }

    fn key(&mut self, path: &str) -> KeyId {
        if let Some(known) = self.key_ids.get(path) {
            return *known;
        }
        let fresh = KeyId(u16::try_from(self.key_ids.len()).unwrap_or(u16::MAX));
        self.library.keys.push(path.to_owned());
        self.key_ids.insert(path.to_owned(), fresh);
        fresh
    }

    /// Adds a device; in the order of the records.
    ///
    /// # Errors
    /// A source that makes no sense or isn't declared.
    pub fn device(&mut self, entry: &DeviceEntry) -> Result<(), EmbedError> {
        let local = self.local(&entry.sources)?;
        let mut named = Vec::new();
        entry.visit_sources(&mut |path, ids| named.push((path.to_owned(), ids)));
        let mut figures = Vec::new();
        for (path, ids) in named {
            figures.push((self.key(&path), local.ids(ids)?));
        }
        let reasons = [
            ("memory.sizes", unknown(&entry.memory.sizes)),
            ("memory.bandwidth", unknown(&entry.memory.bandwidth)),
            ("compute", entry.compute.unknown.clone()),
        ];
        let unknown = reasons
            .into_iter()
            .filter_map(|(path, why)| why.map(|why| (self.key(path), why)))
            .collect();
        let price = entry.price.clone().unwrap_or_default();
        let usable = entry.usable.as_ref();
        let provenance = Provenance {
            figures,
            unknown,
            release_note: entry.release_note.clone(),
            compute_basis: entry.compute.basis.clone(),
            data_rate_note: entry
                .memory
                .data_rate
                .as_ref()
                .and_then(|stated| stated.note.clone()),
            usable_about: usable.and_then(|usable| usable.about.clone()),
            usable_older_rule: usable.and_then(|usable| usable.older_rule.clone()),
            measured: entry
                .measured
                .iter()
                .map(|row| {
                    let sources = local.ids(&row.source)?;
                    Ok(Measured {
                        what: row.what.clone(),
                        value: row.value.clone(),
                        sources,
                    })
                })
                .collect::<Result<_, EmbedError>>()?,
            launch: price.launch.map(|stated| (stated.value, stated.note)),
            launch_by_size: price
                .launch_by_size
                .iter()
                .map(|row| (row.size, row.price))
                .collect(),
            machines: price
                .machines
                .iter()
                .map(|row| {
                    Ok(MachinePrice {
                        machine: row.machine.clone(),
                        memory: row.memory,
                        storage: row.storage,
                        price: row.price,
                        date: row.date,
                        sources: local.ids(&row.source)?,
                    })
                })
                .collect::<Result<_, EmbedError>>()?,
            street: price
                .street
                .iter()
                .map(|row| {
                    Ok(StreetPrice {
                        low: row.low,
                        high: row.high,
                        condition: row.condition.clone(),
                        date: row.date,
                        date_note: row.date_note.clone(),
                        sources: local.ids(&row.source)?,
                    })
                })
                .collect::<Result<_, EmbedError>>()?,
            notes: entry.notes.clone(),
        };
        self.library.devices.push(provenance);
        Ok(())
    }

    /// Adds the price of a model's tokens.
    ///
    /// # Errors
    /// A source that makes no sense or isn't declared.
    pub fn api_price(&mut self, id: &str, entry: &ApiPriceEntry) -> Result<(), EmbedError> {
        let local = self.local(&entry.sources)?;
        self.library.prices.api.push(ApiPrice {
            id: id.to_owned(),
            name: entry.name.clone(),
            provider: entry.provider.clone(),
            model: entry.model.clone(),
            open_weights: entry.open_weights,
            context: entry.context.as_ref().map(|figure| figure.value),
            date: entry.date,
            input: entry.input.value,
            output: entry.output.value,
            cached_input: entry.cached_input.as_ref().map(|figure| figure.value),
            tiers: entry
                .tiers
                .iter()
                .map(|tier| Tier {
                    above: tier.above,
                    input: tier.input,
                    output: tier.output,
                })
                .collect(),
            note: entry.note.clone(),
            sources: local.ids(&entry.input.source)?,
        });
        Ok(())
    }

    /// Adds the price of an hour of a device.
    ///
    /// # Errors
    /// A source that makes no sense or isn't declared.
    pub fn rental(&mut self, id: &str, entry: &RentalEntry) -> Result<(), EmbedError> {
        let local = self.local(&entry.sources)?;
        let offers = entry
            .offers
            .iter()
            .map(|offer| {
                Ok(Offer {
                    terms: offer.terms.clone(),
                    hour: offer.hour,
                    hour_high: offer.hour_high,
                    date: offer.date,
                    note: offer.note.clone(),
                    sources: local.ids(&offer.source)?,
                })
            })
            .collect::<Result<_, EmbedError>>()?;
        self.library.prices.rental.push(Rental {
            id: id.to_owned(),
            device: entry.device.clone(),
            provider: entry.provider.clone(),
            offers,
        });
        Ok(())
    }

    /// Adds the price of electricity.
    ///
    /// # Errors
    /// A source that makes no sense or isn't declared.
    pub fn electricity(&mut self, id: &str, entry: &ElectricityEntry) -> Result<(), EmbedError> {
        let local = self.local(&entry.sources)?;
        self.library.prices.electricity.push(Electricity {
            id: id.to_owned(),
            region: entry.region.clone(),
            kilowatt_hour: entry.kilowatt_hour.value,
            date: entry.date,
            note: entry.note.clone(),
            sources: local.ids(&entry.kilowatt_hour.source)?,
        });
        Ok(())
    }
}

fn unknown<T>(maybe: &catalog::Maybe<T>) -> Option<String> {
    match maybe {
        catalog::Maybe::Known(_) => None,
        catalog::Maybe::Unknown(why) => Some(why.clone()),
    }
}
